import { choice, emptyField, groupReader, trimmed } from '../field';
import { groupOption } from '../options';
import type { Entered, Item } from '../item';
import { isLasting } from '../../text/lasting';
import { visible } from '../../text/text';

const keyField = trimmed(
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}',
		description:
			'Messages with the same key are sent only once, even after a restart. A copy of this node starts without keys.',
		hint: 'What names this message, e.g. the order number. Each key is sent once.',
	},
	'Use an expression that returns one value, e.g. {{ $json.orderId }}.',
);

const oncePerField = choice({
	displayName: 'Once Per',
	name: 'oncePer',
	type: 'options',
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
	description: 'How often a key may be used',
});

export type OncePer = ReturnType<typeof oncePerField.read>;

/** The name of a message, which is used up for every number or for the recipient alone. */
export interface Deduplication {
	key: string;
	oncePer: OncePer;
}

const deduplicationName = 'deduplication';
const groupPath = ['options', deduplicationName, 'values'] as const;

/** Its value is undefined for a message without a key. */
export const deduplicationOption = groupOption(
	{
		displayName: 'Deduplication',
		name: deduplicationName,
		default: { values: { key: keyField.default, oncePer: oncePerField.default } },
		description: 'Sends a message once, however often the workflow runs',
	},
	{ key: keyField, oncePer: oncePerField },
	({ oncePer, key }, item): Deduplication => ({
		key: checkKey(item, key.normalize('NFC'), oncePer),
		oncePer,
	}),
	undefined,
);

/** Returns the key as entered, with its expressions; empty if there is none. */
export const enteredKey = (ofNode: Entered): string =>
	String(ofNode.at(...groupPath, keyField.name) ?? '');

/** Whether the node has a key that is the same in the next execution. */
export function hasLastingKey(ofNode: Entered): boolean {
	const oncePer = ofNode.at(...groupPath, oncePerField.name);
	return enteredKey(ofNode) !== '' && [enteredKey(ofNode), String(oncePer)].every(isLasting);
}

/** Whether each number of a key gets its own message. */
export const isPerNumber = (ofNode: Entered): boolean =>
	ofNode.at(...groupPath, oncePerField.name) === 'keyAndNumber';

/** @throws NodeOperationError when the key names no single message */
function checkKey(item: Item, key: string, oncePer: OncePer): string {
	if (key.includes('\0') || /\p{Surrogate}/u.test(key)) {
		throw item.invalid(
			'The deduplication key contains a character that cannot be stored',
			'Use a plain value, such as an order ID. The character is half an emoji, as in a text that was cut off, or a NUL character.',
		);
	}
	if (!visible.test(key)) {
		throw emptyField(
			keyField,
			groupReader(item, {}, ...groupPath),
			"Enter one, or remove 'Deduplication'. Without a key, this message could be sent twice.",
		);
	}
	const path = [...groupPath, keyField.name];
	const [first, ...more] = item.parts(...path);
	const isConstant = first?.isLeftOut && more.every(({ isLeftOut }) => isLeftOut);
	const [missing = isConstant ? first : undefined] = item.missingParts(...path);
	// An execution without an ID, as over MCP, has this one.
	const nothing = missing ?? (key.includes('__UNKNOWN__') ? { code: key } : undefined);
	if (nothing) {
		const why = 'With the same key for several messages, only the first would be sent.';
		throw item.emptyPart('A part of the deduplication key has no value', nothing, why);
	}
	if (oncePer === 'key' && item.total > 1 && !item.isFromExpression(...path)) {
		throw item.invalid(
			`The deduplication key is the same for all ${item.total} items: '${item.quote(key)}'`,
			"Use an expression that returns a different key for each message, e.g. {{ $json.orderId }}. To send one to each number, set 'Once Per' to Key and Number.",
		);
	}
	return key;
}
