/**
 * Takes the screenshots in docs/images/ in the real editor, with the sandbox: `npx tsx
 * tools/host/screenshots.ts [name …]`. Check each one.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox';
import { chain, node } from '../shared/workflows';
import type { CredentialReference, WorkflowJson } from './client';
import { Editor, startChromium } from './editor';
import { importExamples, prepareExample } from './examples';
import { startHost, type Host } from './index';
import { packageFolder } from './paths';

const folder = path.join(packageFolder, 'docs', 'images');
const [, , ...only] = process.argv;
const gateway = 'n8n-nodes-messaging-gateway.messagingGateway';
const to = '5511912345678';

/** What would cover the picture: tooltips, popovers, and the message that an execution has succeeded. */
const hidden = `[data-reka-popper-content-wrapper], [role="tooltip"],
	.el-notification:has(.el-notification--success) { display: none !important; }`;

interface Studio {
	host: Host;
	sandbox: Sandbox;
	credential: CredentialReference;
	editor: Editor;
	/** Opens the example of this name. */
	open(name: string): Promise<void>;
}

/** By name of the screenshot: what to do until the editor shows it. */
const scenes: Record<string, (studio: Studio) => Promise<void>> = {
	async 'send-sms'({ editor, open }) {
		await open('CRM contact to SMS');
		await editor.execute('When Clicking Execute');
		await editor.openNode('Send SMS');
	},
	async 'send-between'({ editor, open }) {
		await open('Reminders in office hours');
		await editor.openNode('Send Reminder');
		await editor.page.getByText('Outside', { exact: true }).first().scrollIntoViewIfNeeded();
	},
	async 'dry-run'({ editor, open }) {
		await open('Check a list before it is sent');
		await editor.openNode('Send to List');
		await editor.page.getByTestId('node-execute-button').click();
		await editor.page.getByText('wouldSend', { exact: true }).first().waitFor();
		await editor.page.getByRole('alert').locator('.el-notification__closeBtn').first().click();
		await editor.page.getByTestId('output-panel').getByText('JSON', { exact: true }).click();
		await editor.page.getByText('Dry Run', { exact: true }).first().scrollIntoViewIfNeeded();
	},
	async 'on-error'({ editor, open }) {
		await open('CRM contact to SMS');
		await editor.openNode('Send SMS');
		await editor.page.getByTestId('tab-settings').click();
		await editor.page.getByText('On Error', { exact: true }).first().scrollIntoViewIfNeeded();
	},
	async 'status-trigger'({ editor, open, sandbox }) {
		await sandbox.advance();
		await open('Campaign status to row');
		await editor.openNode('Status Changed');
		await editor.page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await editor.page.getByText('previousStatus').first().waitFor();
	},
	async 'trigger-listening'({ editor, open }) {
		await open('Delivery report to row');
		await editor.openNode('Delivery Report');
		await editor.page.getByTestId('trigger-execute-button').first().click();
		await editor.page.getByText('Waiting for a delivery').first().waitFor();
	},
	async 'trigger-refusal'({ editor, host, credential, sandbox }) {
		// The account's webhook belongs to another system: publishing fails after n8n's five attempts.
		sandbox.webhook = { url: 'https://crm.example.com/hooks/1', enabled: true };
		const account = { messagingGatewayApi: credential };
		const workflow = await prepareExample(host.client, 'delivery-report-to-row', account);
		for (const { parameters } of workflow.nodes) delete parameters.conflict; // otherwise it shares
		await editor.openWorkflow(await host.client.createWorkflow(workflow));
		await editor.page.getByTestId('workflow-open-publish-modal-button').click();
		await editor.page.getByTestId('workflow-publish-button').click();
		await editor.page.getByText('The account has one webhook').first().waitFor({ timeout: 60_000 });
		// On a slow machine, n8n does not get to say that it is published.
		const dialog = editor.page.getByRole('button', { name: 'Got it' });
		if (await dialog.isVisible()) await dialog.click();
	},
	async 'send-and-wait'({ editor, open }) {
		await open('Approval by SMS');
		await editor.openNode('Ask Manager');
	},
	async 'human-review'({ editor, host, credential }) {
		const model = await host.client.createCredential({ apiKey: 'sk-sandbox' }, 'openAiApi');
		await editor.openWorkflow(await host.client.createWorkflow(review(credential, model)));
		await editor.page.getByText('Text the Customer').first().waitFor();
	},
	async credential({ editor, credential }) {
		await editor.openCredential(credential.id);
	},
};

async function main(): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const sandbox = await startSandbox();
	const host = await startHost();
	try {
		const account = 'Messaging Gateway account';
		const credential = await host.client.createCredential(
			sandbox.credential,
			'messagingGatewayApi',
			account,
		);
		const ids = await importExamples(host.client, { messagingGatewayApi: credential });
		for (const [name, scene] of Object.entries(scenes)) {
			if (only.length > 0 && !only.includes(name)) continue;
			const editor = await Editor.start(host.url, host.client);
			const open = async (example: string) => await editor.openWorkflow(ids.get(example) ?? '');
			try {
				await scene({ host, sandbox, credential, editor, open });
				await editor.page.mouse.move(0, 0); // nothing is hovered over
				await editor.page.addStyleTag({ content: hidden });
				await editor.page.waitForTimeout(1_000); // for animations and icons
				await editor.page.screenshot({ path: path.join(folder, `${name}.png`) });
			} finally {
				await editor.stop();
			}
			console.log(`docs/images/${name}.png`);
		}
		if (only.length === 0 || only.includes('question')) {
			await shootQuestion(host, sandbox, credential);
		}
	} finally {
		await host.stop();
		await sandbox.close();
	}
}

/** The page of an approval question, on a phone. */
async function shootQuestion(
	{ client }: Host,
	sandbox: Sandbox,
	credential: CredentialReference,
): Promise<void> {
	const asked = {
		resource: 'message',
		operation: 'sendAndWait',
		to,
		message: 'Order 4711 costs 1,250.00. May we send it?',
		approvalOptions: {
			values: {
				approvalType: 'double',
				approveLabel: 'Send it',
				disapproveLabel: 'Do not send it',
			},
		},
		options: { responseFormTitle: 'Order 4711' },
	};
	const ask = node('Ask', gateway, asked, { credentials: { messagingGatewayApi: credential } });
	const id = await client.createWorkflow(chain('Question', ask));
	await client.untilItWaits(await client.run(id));
	const link = sandbox.accepted({ to }).at(-1)!.text.split('\n').at(-1)!;
	const browser = await startChromium();
	try {
		const viewport = { width: 320, height: 440 };
		const page = await browser.newPage({ viewport, deviceScaleFactor: 2 });
		await page.goto(link);
		await page.screenshot({ path: path.join(folder, 'question.png') });
		console.log('docs/images/question.png');
	} finally {
		await browser.close();
	}
}

/** An agent whose tool a person has to approve. */
function review(credential: CredentialReference, model: CredentialReference): WorkflowJson {
	const credentials = { messagingGatewayApi: credential };
	const agent = '@n8n/n8n-nodes-langchain';
	const workflow = chain(
		'Human review',
		node(
			'AI Agent',
			`${agent}.agent`,
			{ promptType: 'define', text: 'Offer the customer a discount', options: {} },
			{ typeVersion: 3 },
		),
	);
	const approvalOptions = { values: { approvalType: 'double' } };
	const sms = { resource: 'message', operation: 'sendSms', to, text: "={{ $fromAI('text') }}" };
	const below = [
		{
			of: 'AI Agent',
			type: 'ai_languageModel',
			each: node(
				'Model',
				`${agent}.lmChatOpenAi`,
				{},
				{ typeVersion: 1.2, credentials: { openAiApi: model }, position: [160, 220] },
			),
		},
		{
			of: 'AI Agent',
			type: 'ai_tool',
			each: node(
				'Ask the Manager',
				`${gateway}HitlTool`,
				{ to, approvalOptions },
				{ credentials, position: [380, 220] },
			),
		},
		{
			of: 'Ask the Manager',
			type: 'ai_tool',
			each: node('Text the Customer', `${gateway}Tool`, sms, {
				credentials,
				position: [380, 420],
			}),
		},
	] as const;
	for (const { of, type, each } of below) {
		workflow.nodes.push({ id: each.name, position: [0, 0], ...each });
		workflow.connections[each.name] = { [type]: [[{ node: of, type, index: 0 }]] };
	}
	return workflow;
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
