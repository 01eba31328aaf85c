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
		hint: 'A copy of this node starts without keys',
		description:
			'What identifies this message, e.g. an order ID. The same key is sent only once, even after a restart.',
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
				'In n8n: the latest 20,000 keys of this node. With several workers (queue mode), keys get lost.',
		},
		{
			name: 'Workflow',
			value: 'workflow',
			description:
				'In your own database, e.g. PostgreSQL or Redis, by a workflow. Works with several workers and has no limit.',
		},
	],
	default: 'n8n',
	description: 'Where to keep the deduplication keys',
};

export const deduplicationWorkflow = text({
	displayName: 'Deduplication Workflow',
	name: 'deduplicationWorkflow',
	type: 'workflowSelector',
	default: '',
	displayOptions: { show: { deduplicationStore: ['workflow'] } },
	description:
		'The published workflow that keeps the keys. The documentation has ready ones for PostgreSQL and Redis.',
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
