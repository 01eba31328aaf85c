import type { INodeProperties } from 'n8n-workflow';

import { optionOrDefault, text, trimmed, type Field } from '../field';
import type { Item } from '../item';

const entered = optionOrDefault(
	trimmed({
		displayName: 'Deduplication Key',
		name: 'deduplicationKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}',
		description:
			'A value that names this message, such as an order ID. This node sends a message with the same key once, also across executions and restarts, and skips it afterwards. A sub-workflow needs one if the node that calls it retries on fail. Not for an AI agent to make up: use an ID of the conversation, the request or the matter.',
	}),
);

/** Like the workflow, read once for the whole run. */
export const deduplicationStore: INodeProperties = {
	displayName: 'Deduplication Store',
	name: 'deduplicationStore',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Built-In',
			value: 'n8n',
			description:
				'The latest 20,000 keys of this node, in the database of n8n. Safe within one n8n process: with several workers (queue mode), keys get lost.',
		},
		{
			name: 'Workflow',
			value: 'workflow',
			description:
				'A workflow that keeps the keys in a database of yours, e.g. PostgreSQL or Redis. Safe with any number of workers, without a limit.',
		},
	],
	default: 'n8n',
	description: 'Where the deduplication keys are kept',
};

export const deduplicationWorkflow = text({
	displayName: 'Deduplication Workflow',
	name: 'deduplicationWorkflow',
	type: 'workflowSelector',
	default: '',
	displayOptions: { show: { deduplicationStore: ['workflow'] } },
	description:
		'The workflow that keeps the keys, published. Ready ones for PostgreSQL and Redis come with this package: see "Deduplication" in its documentation.',
});

/**
 * The item's key, the same however its accents are encoded; empty when it is not set. Refused where
 * an expression gives an item none, or one that no database takes, and where there is no expression
 * and so one key for many messages.
 */
const deduplicationKey: Field<string> = { ...entered, read: readKey };

export const deduplicationOptions = { deduplicationKey, deduplicationStore, deduplicationWorkflow };

function readKey(item: Item): string {
	const key = entered.read(item).normalize('NFC');
	const isExpression = item.isExpression('options', entered.name);
	if (key === '' && isExpression) {
		throw item.invalid(
			"'Deduplication Key' is empty",
			'Its expression gives this item no value, so nothing would keep the message from being sent twice. Let it give one for each item.',
		);
	}
	if (key.includes('\0') || /\p{Surrogate}/u.test(key)) {
		throw item.invalid(
			"'Deduplication Key' holds a character that cannot be stored",
			'It is half of an emoji, as where a text is cut, or a NUL. Let the expression give a plain value, such as an order ID.',
		);
	}
	if (key !== '' && !isExpression && item.total > 1) {
		throw item.invalid(
			`'Deduplication Key' is the same for all ${item.total} items: '${item.quote(key)}'`,
			'Each key names one message, so that only the first would be sent. Use an expression that gives each item its own, e.g. {{ $json.orderId }}.',
		);
	}
	return key;
}
