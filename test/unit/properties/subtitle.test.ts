import { Workflow, type INodeParameters, type INodeTypes } from 'n8n-workflow';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { buildSubtitle } from '../../../nodes/MessagingGateway/form';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { node as anyNode } from '../../../tools/shared/context';

const type = new MessagingGateway();
const nodeTypes = { getByNameAndVersion: () => type } as unknown as INodeTypes;

/** Evaluates the subtitle as n8n's editor does. */
function subtitle(parameters: INodeParameters): unknown {
	const node = { ...anyNode, parameters };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(
		node,
		buildSubtitle(resources),
		'internal',
		{},
	);
}

test.each(
	resources.flatMap((resource) =>
		resource.operations.map((operation) => [resource, operation] as const),
	),
)('the subtitle is the name in the form', (resource, operation) => {
	const selected = { resource: resource.value, operation: operation.value };
	expect(subtitle(selected)).toBe(`${resource.name}: ${operation.name}`);
});

test.each([
	[{}, ''],
	[{ dryRun: true }, ' (dry run)'],
	[{ dryRun: false }, ''],
	[{ dryRun: '={{ $json.isTest }}' }, ''], // it may be off for each item
])('the subtitle with %j ends with %j', (options, end) => {
	const selected = { resource: 'message', operation: 'sendSms', options };
	expect(subtitle(selected)).toBe(`Message: Send SMS${end}`);
});
