import type { INode, INodeParameters } from 'n8n-workflow';
import type { CredentialReference, WorkflowJson } from '../../../tools/host';
import { node } from '../../../tools/shared/workflows';

/** A parameter that the model fills, written as the editor writes it when its ✨ is pressed. */
export const fromAi = (key: string, description: string): string =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, 'string') }}`;

/** The node under test as the tool of an agent. */
export const tool = (
	name: string,
	credential: CredentialReference,
	parameters: INodeParameters,
	more: Partial<INode> = {},
) =>
	node(name, 'n8n-nodes-messaging-gateway.messagingGatewayTool', parameters, {
		credentials: { messagingGatewayApi: credential },
		...more,
	});

/** An agent that is told what to do. */
export const agent = (text: string, typeVersion = 3) =>
	node(
		'Agent',
		'@n8n/n8n-nodes-langchain.agent',
		// Before version 2, there are several kinds.
		{ ...(typeVersion < 2 && { agent: 'toolsAgent' }), promptType: 'define', text, options: {} },
		{ typeVersion },
	);

/** Gives the agent a model of OpenAI's, or what the credential says. */
export function connectModel(workflow: WorkflowJson, openAiApi: CredentialReference): void {
	workflow.settings = { executionOrder: 'v1' }; // as the editor has it: agents need it
	const model = node(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		{ model: { __rl: true, mode: 'id', value: 'stub' }, options: {} },
		{ typeVersion: 1.2, credentials: { openAiApi } },
	);
	connectBelow(workflow, 'Agent', 'ai_languageModel', model);
}

/** Gives the agent a model, and a tool that sends an SMS. @param own instead of what the model fills */
export function connectSms(
	workflow: WorkflowJson,
	openAiApi: CredentialReference,
	credential: CredentialReference,
	own: INodeParameters = {},
	more: Partial<INode> = {},
): void {
	connectModel(workflow, openAiApi);
	const to = fromAi('To', 'Phone number with country code');
	const text = fromAi('Text', 'The SMS');
	const parameters = { resource: 'message', operation: 'sendSms', to, text, ...own };
	connectBelow(workflow, 'Agent', 'ai_tool', tool('Send SMS', credential, parameters, more));
}

/** Connects a node to another one from below: a model, a tool. */
export function connectBelow(
	workflow: WorkflowJson,
	above: string,
	kind: 'ai_tool' | 'ai_languageModel',
	below: Omit<INode, 'id' | 'position'>,
): void {
	const { length } = workflow.nodes;
	workflow.nodes.push({ ...below, id: below.name, position: [length * 220, 300] });
	workflow.connections[below.name] = { [kind]: [[{ node: above, type: kind, index: 0 }]] };
}
