/** The pictures of questions by SMS: the node, its page on a phone, and the review of an agent's tool. */
import path from 'node:path';
import type { INode } from 'n8n-workflow';
import type { Sandbox } from '../sandbox';
import { startChromium, type Editor } from './editor';
import type { CredentialReference, HostClient, WorkflowJson } from './client';
import { noteTaken } from './pictures';

interface Studio {
	client: HostClient;
	sandbox: Sandbox;
	editor: Editor;
	credential: CredentialReference;
	/** Where the pictures go to. */
	folder: string;
	/** Takes a picture of the editor. */
	shoot(name: string): Promise<void>;
}

const to = '5511912345678';
const phone = { width: 320, height: 440 };

/** @param exampleId of the workflow 'Approval by SMS' */
export async function shootQuestions(studio: Studio, exampleId: string): Promise<void> {
	const { client, editor, credential, shoot } = studio;
	await editor.openWorkflow(exampleId);
	await editor.openNode('Ask Manager');
	await shoot('send-and-wait');
	await editor.closeNode();
	const model = await client.createCredential({ apiKey: 'sk-sandbox' }, 'openAiApi');
	await editor.openWorkflow(await client.createWorkflow(review(credential, model)));
	await editor.page.getByText('Tell the Customer').first().waitFor();
	await shoot('human-review');
	await shootPages(studio);
}

async function shootPages({ client, sandbox, credential, folder }: Studio): Promise<void> {
	const browser = await startChromium();
	const pictures: Array<[name: string, scheme: 'light' | 'dark', parameters: object]> = [
		[
			'question-approval',
			'light',
			{
				message: 'Order 4711 costs 1,250.00. May we send it?',
				approvalOptions: {
					values: {
						approvalType: 'double',
						approveLabel: 'Send it',
						disapproveLabel: 'Do not send it',
					},
				},
				options: { pageTitle: 'Order 4711' },
			},
		],
		[
			'question-choice',
			'dark',
			{
				message: 'When may we deliver your order?',
				responseType: 'choice',
				choices: {
					values: [
						{ label: 'Tomorrow morning' },
						{ label: 'Tomorrow afternoon' },
						{ label: 'Not this week' },
					],
				},
			},
		],
		['question-text', 'light', { message: 'What went wrong?', responseType: 'freeText' }],
	];
	try {
		for (const [name, colorScheme, parameters] of pictures) {
			sandbox.reset();
			const id = await client.createWorkflow(question(credential, parameters));
			await client.untilItWaits(await client.run(id));
			const link = sandbox.accepted({ to })[0]!.text.split('\n').at(-1)!;
			const page = await browser.newPage({ viewport: phone, colorScheme, deviceScaleFactor: 2 });
			await page.goto(link);
			await page.screenshot({ path: path.join(folder, `${name}.png`) });
			noteTaken(name);
			console.log(`docs/images/${name}.png`);
			await page.close();
		}
	} finally {
		await browser.close();
	}
}

const gatewayType = 'n8n-nodes-messaging-gateway.messagingGateway';

function question(credential: CredentialReference, parameters: object): WorkflowJson {
	return workflow(
		'Question',
		node('Start', 'n8n-nodes-base.manualTrigger', [0, 0], {}),
		node(
			'Ask',
			gatewayType,
			[220, 0],
			{ resource: 'message', operation: 'sendAndWait', to, ...parameters },
			{ credentials: { messagingGatewayApi: credential } },
		),
	);
}

/** An agent, and a person between it and its tool. */
function review(credential: CredentialReference, model: CredentialReference): WorkflowJson {
	const credentials = { messagingGatewayApi: credential };
	const approvalOptions = { values: { approvalType: 'double' } };
	const result = workflow(
		'Human review',
		node('When Clicking Execute', 'n8n-nodes-base.manualTrigger', [0, 0], {}),
		node(
			'AI Agent',
			'@n8n/n8n-nodes-langchain.agent',
			[220, 0],
			{ promptType: 'define', text: 'Offer the customer a discount', options: {} },
			{ typeVersion: 3 },
		),
	);
	const below = (more: INode, parent: string, type: 'ai_languageModel' | 'ai_tool') => {
		result.nodes.push(more);
		result.connections[more.name] = { [type]: [[{ node: parent, type, index: 0 }]] };
	};
	below(
		node(
			'Model',
			'@n8n/n8n-nodes-langchain.lmChatOpenAi',
			[160, 220],
			{},
			{ typeVersion: 1.2, credentials: { openAiApi: model } },
		),
		'AI Agent',
		'ai_languageModel',
	);
	below(
		node(
			'Ask the Manager',
			`${gatewayType}HitlTool`,
			[380, 220],
			{ to, approvalOptions },
			{ credentials },
		),
		'AI Agent',
		'ai_tool',
	);
	below(
		node(
			'Tell the Customer',
			`${gatewayType}Tool`,
			[380, 420],
			{ resource: 'message', operation: 'sendSms', to, text: "={{ $fromAI('text') }}" },
			{ credentials },
		),
		'Ask the Manager',
		'ai_tool',
	);
	return result;
}

/** The first node starts the second. */
const workflow = (name: string, first: INode, second: INode): WorkflowJson => ({
	name,
	nodes: [first, second],
	connections: { [first.name]: { main: [[{ node: second.name, type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1' },
});

const node = (
	name: string,
	type: string,
	position: [number, number],
	parameters: object,
	more: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position,
	parameters: parameters as INode['parameters'],
	...more,
});
