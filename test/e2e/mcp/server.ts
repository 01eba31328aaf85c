import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { CredentialReference, HostClient, WorkflowJson } from '../../../tools/host';
import { connectBelow, fromAi, tool } from '../agent/tools';
import { onceBy } from '../../../tools/shared/deduplication';
import { node } from '../../../tools/shared/workflows';

const to = fromAi(
	'To',
	'Phone number of one person with country code, e.g. +5511912345678. Never guess it.',
);
const text = fromAi(
	'Text',
	'The SMS as the person reads it: plain text, at most 160 characters, no Markdown',
);

/** A tool of the server: what the model reads of it, and what the node does. */
interface Tool {
	name: string;
	description: string;
	parameters: INodeParameters;
}

const sms = (name: string, description: string, own: INodeParameters = {}): Tool => ({
	...{ name, description },
	parameters: { resource: 'message', operation: 'sendSms', to, text, ...own },
});

const orderNumber = fromAi(
	'Order_Number',
	'Number of the order, e.g. 1042, as the order system has it. Never make one up.',
);
const oncePerSession =
	"={{ $json.headers['mcp-session-id'] + ' ' + $parameter.to + ' ' + $parameter.text }}";

export const documentedTools: Tool[] = [
	sms(
		'Send SMS',
		'Sends an SMS. A real person gets it, and it cannot be taken back: call it once per message. If the answer says that the message may have been sent, do not call it again.',
	),
	sms(
		'Tell That Order Was Shipped',
		'Sends a customer an SMS that an order was shipped, once per order.',
		{ options: onceBy(orderNumber.replace('={{', '=shipped-{{')) },
	),
	{
		name: 'Get Campaign',
		description:
			'Shows the messages of a campaign: number and status of each. Changes nothing. SMS that were sent one by one are in the campaign 50000000-0000-4000-8000-000000000003.',
		parameters: {
			resource: 'campaign',
			operation: 'get',
			channel: 'sms',
			campaignId: { __rl: true, mode: 'id', value: fromAi('Campaign_ID', 'ID of the campaign') },
		},
	},
];

/** Other ways to set them up. */
export const otherTools: Tool[] = [
	sms('Once per session', 'Sends the same text to the same number once per session', {
		options: onceBy(oncePerSession),
	}),
	sms('Execution', 'Takes for a key what names no call here', {
		options: onceBy('={{ $execution.id }}'),
	}),
];

/** Publishes a workflow whose MCP Server Trigger offers these tools. @returns the trigger's path in n8n */
export async function publishServer(
	client: HostClient,
	tools: Tool[],
	credential: CredentialReference,
	bearer: CredentialReference,
): Promise<string> {
	const path = randomUUID();
	const trigger = node(
		'MCP Server Trigger',
		'@n8n/n8n-nodes-langchain.mcpTrigger',
		{ authentication: 'bearerAuth', path },
		{ typeVersion: 2.1, webhookId: path, credentials: { httpBearerAuth: bearer } },
	);
	const workflow: WorkflowJson = {
		name: 'MCP',
		nodes: [{ ...trigger, id: path, position: [0, 0] }],
		connections: {},
		settings: { executionOrder: 'v1' }, // as the editor has it
	};
	for (const { name, description, parameters } of tools) {
		const described = { ...parameters, descriptionType: 'manual', toolDescription: description };
		connectBelow(workflow, trigger.name, 'ai_tool', tool(name, credential, described));
	}
	await client.publish(workflow);
	return `/mcp/${path}`;
}
