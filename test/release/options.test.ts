/**
 * How long the list 'Add Option' is: a newcomer sees seven or eight names of it at once. Every entry of
 * the collection counts, also one that only shows with another field, such as the validity of a link.
 */
import type { INodeProperties } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { resources } from '../../nodes/MessagingGateway/operations';
import { rowOf, sends } from '../../tools/shared/operations';

const { properties } = new MessagingGateway().description;

/** What the list of an operation offers; empty where it has none. */
const optionsOf = (resource: string, operation: string): string[] =>
	properties
		.filter(
			({ name, displayOptions: { show } = {} }) =>
				name === 'options' &&
				show?.resource?.includes(resource) &&
				show.operation?.includes(operation),
		)
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.map(({ displayName }) => displayName);

const isSend = (operation: string): boolean =>
	operation === 'sendAndWait' || sends.some((id) => rowOf(id).operation === operation);

test.each(
	resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value: operation }) => ({ resource, operation })),
	),
)('$resource $operation: the list of options is short', ({ resource, operation }) => {
	const options = optionsOf(resource, operation);
	const limit = isSend(operation) ? 8 : 2;
	expect(options.length > limit ? options : []).toEqual([]);
	if (isSend(operation)) expect(options).toContain('Dry Run');
});
