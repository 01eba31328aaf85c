import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { CredentialReference, WorkflowJson } from '../host';

const gatewayType = 'n8n-nodes-messaging-gateway.messagingGateway';

/** A Manual Trigger followed by a chain of nodes. */
export function chain(name: string, ...nodes: Array<Omit<INode, 'id' | 'position'>>): WorkflowJson {
	const all = [node('Start', 'n8n-nodes-base.manualTrigger', {}), ...nodes];
	return {
		name,
		nodes: all.map((entry, index) => ({ ...entry, id: randomUUID(), position: [index * 220, 0] })),
		connections: Object.fromEntries(
			all
				.slice(0, -1)
				.map((entry, index) => [
					entry.name,
					{ main: [[{ node: all[index + 1]?.name ?? '', type: 'main', index: 0 }]] },
				]),
		),
		settings: { timezone: 'America/Sao_Paulo' },
	};
}

export function node(
	name: string,
	type: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): Omit<INode, 'id' | 'position'> {
	return { name, type, typeVersion: 1, parameters, ...more };
}

/** A node that outputs this JSON, or what the expression gives. */
export const asJson = (name: string, jsonOutput: string) =>
	node(name, 'n8n-nodes-base.set', { mode: 'raw', jsonOutput }, { typeVersion: 3.4 });

/** Nodes that output these items. */
export const items = (...rows: IDataObject[]) => [
	asJson('Rows', JSON.stringify({ rows })),
	node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows' }),
];

/** The node under test, named 'Gateway'. */
export const gateway = (
	credential: CredentialReference,
	resource: string,
	operation: string,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
) =>
	node(
		'Gateway',
		gatewayType,
		{ resource, operation, ...parameters },
		{ credentials: { messagingGatewayApi: credential }, ...more },
	);

/** n8n's HTTP Request node, posting these fields with the credential. */
export const httpRequest = (
	name: string,
	{ id, name: account }: CredentialReference,
	url: string,
	fields: Record<string, string>,
	more: INodeParameters = {},
) =>
	node(
		name,
		'n8n-nodes-base.httpRequest',
		{
			...{ method: 'POST', url, sendBody: true },
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingGatewayApi',
			bodyParameters: {
				parameters: Object.entries(fields).map(([field, value]) => ({ name: field, value })),
			},
			...more,
		},
		{ typeVersion: 4.5, credentials: { messagingGatewayApi: { id, name: account } } },
	);

/** n8n's HTTP Request node, sending an SMS of each item. @param sms expressions; the service takes digits only */
export const httpRequestSms = (
	credential: CredentialReference,
	baseUrl: string,
	sms: { to: string; text: string },
	more: INodeParameters = {},
) =>
	httpRequest(
		'Send',
		credential,
		`${baseUrl}/v1/sms/enviar`,
		{ to: sms.to, msg: sms.text, tiposms: '1' },
		more,
	);

/** The workflow, also started by a POST to this path. */
export function startedByPost(
	path: string,
	responseMode: string,
	workflow: WorkflowJson,
): WorkflowJson {
	const parameters = { path, httpMethod: 'POST', responseMode };
	const more = { typeVersion: 2, webhookId: path };
	const webhook = node('Webhook', 'n8n-nodes-base.webhook', parameters, more);
	workflow.nodes.push({ ...webhook, id: path, position: [0, 200] });
	workflow.connections.Webhook = workflow.connections.Start!;
	return workflow;
}
