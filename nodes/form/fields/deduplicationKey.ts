import { choice, option, optionOrDefault, trimmed } from '../field';
import type { Entered } from '../entered';
import type { Item } from '../item';
import { workflow } from './workflow';

const entered = optionOrDefault(
	trimmed({
		displayName: 'Deduplication Key',
		name: 'deduplicationKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}',
		hint: 'A copy of this node starts without keys',
		description:
			'Identifies this message, e.g. an order ID. Messages with the same key are sent only once, even after a restart.',
	}),
);

/** The same for all items, like the store: no expressions. */
const deduplicationScope = option(
	choice({
		displayName: 'Once Per',
		name: 'deduplicationScope',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Key',
				value: 'key',
				description: 'One message per key. A key that was used for another number is refused.',
			},
			{
				name: 'Key and Number',
				value: 'keyAndNumber',
				description: 'Each phone number gets one message per key, so many people can share a key',
			},
		],
		default: 'key',
		description: "How often a 'Deduplication Key' may be used",
	}),
);

export type DeduplicationScope = ReturnType<typeof deduplicationScope.read>;

/** Read once for the whole run, like the workflow. */
export const deduplicationStore = choice({
	displayName: 'Deduplication Store',
	name: 'deduplicationStore',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Built-In',
			value: 'n8n',
			description:
				'In n8n: the latest 20,000 keys of this node. Loses keys in queue mode with several workers.',
		},
		{
			name: 'Workflow',
			value: 'workflow',
			description:
				'In your own database, e.g. PostgreSQL or Redis, through a workflow. No limit, and safe with several workers.',
		},
	],
	default: 'n8n',
	description: 'Where to keep the deduplication keys',
});

export const deduplicationWorkflow = workflow(
	{
		displayName: 'Deduplication Workflow',
		name: 'deduplicationWorkflow',
		type: 'workflowSelector',
		default: '',
		displayOptions: { show: { deduplicationStore: ['workflow'] } },
		description:
			'Published workflow that keeps the keys. The documentation has ready-made ones for PostgreSQL and Redis.',
	},
	"Add 'Deduplication Workflow' to the options and choose the workflow that keeps the keys. To keep them in n8n, remove 'Deduplication Store'.",
);

export const deduplicationOptions = {
	deduplicationKey: { ...entered, read: readKey },
	deduplicationScope,
	deduplicationStore,
	deduplicationWorkflow,
};

/** Whether the node has a key that is the same in the next execution. */
export function hasLastingKey(ofNode: Entered): boolean {
	const key = String(ofNode.at('options', entered.name) ?? '');
	return key !== '' && !/\$execution\b/.test(key);
}

/** The item's key, however its accents are encoded; empty if not set. */
function readKey(item: Item): string {
	const key = entered.read(item).normalize('NFC');
	const { isSet, isFromExpression } = item.entry('options', entered.name);
	const useless = [deduplicationScope, deduplicationStore].find(
		({ name }) => item.entry('options', name).isSet,
	);
	if (useless && !isSet) {
		throw item.invalid(
			`'${useless.displayName}' does nothing without a 'Deduplication Key'`,
			`Add 'Deduplication Key' to the options, or remove '${useless.displayName}'.`,
		);
	}
	const [nothing] = item.emptyParts('options', entered.name);
	if (nothing !== undefined || /\bundefined\b|\[object Object\]/.test(key)) {
		throw item.invalid(
			`A part of 'Deduplication Key' has no value for this item: '${item.quote(nothing ?? key)}'`,
			'Check the field names in the input panel. With the same key for several messages, only the first would be sent.',
		);
	}
	if (key === '' && isSet) {
		throw item.invalid(
			"'Deduplication Key' is empty",
			'Use an expression that returns a key for every item, or remove the option. Without a key, this message could be sent twice.',
		);
	}
	if (key.includes('\0') || /\p{Surrogate}/u.test(key)) {
		throw item.invalid(
			"'Deduplication Key' contains a character that cannot be stored",
			'Use a plain value, such as an order ID. The character is half an emoji, as in a text that was cut off, or a NUL character.',
		);
	}
	const isPerKey = deduplicationScope.read(item) === 'key';
	if (key !== '' && !isFromExpression && isPerKey && item.total > 1) {
		throw item.invalid(
			`'Deduplication Key' is the same for all ${item.total} items: '${item.quote(key)}'`,
			"Use an expression that returns a different key for each message, e.g. {{ $json.orderId }}. With one key, only the first message would be sent. To send it once to each number, set 'Once Per' to Key and Number.",
		);
	}
	return key;
}
