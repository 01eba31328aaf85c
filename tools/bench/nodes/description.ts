import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

export function describeNode(
	name: string,
	more: Pick<INodeTypeDescription, 'properties'> & Partial<INodeTypeDescription>,
): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: ['output'],
		version: 1,
		description: 'For the benchmark',
		defaults: { name },
		inputs: ['main'],
		outputs: ['main'],
		...more,
	};
}

export const describeSmsNode = (name: string) =>
	describeNode(name, {
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		properties: smsFields,
	});

export const smsFields: [to: INodeProperties, text: INodeProperties] = [
	{ displayName: 'To', name: 'to', type: 'string', default: '' },
	{ displayName: 'Text', name: 'text', type: 'string', default: '' },
];
