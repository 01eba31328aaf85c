import { isLasting } from '../../text/lasting';
import { digitsOf } from '../../text/spelling';
import { refine } from '../field';
import { Item, type Entered } from '../item';
import { groupOption } from '../option';
import { choice, emptyField, rejectEmptyPart, trimmed } from '../textField';

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

const keyText = trimmed(
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}',
		description:
			'Messages with the same key are sent only once, even after a restart. A copy of this node starts without keys.',
		hint: 'The same each time for the same message, e.g. the order number. A key sends one message.',
	},
	'Use an expression that returns one value, e.g. {{ $json.orderId }}.',
);

/** Its value names a single message. */
const keyField = refine(keyText, (entered, item: Item): string => {
	const key = entered.normalize('NFC');
	if (key.includes('\0') || /\p{Surrogate}/u.test(key)) {
		throw item.invalid(
			'The deduplication key contains a character that cannot be stored',
			'Use a plain value, such as an order ID. The character is half an emoji, as in a text that was cut off, or a NUL character.',
		);
	}
	if (key === '') {
		const hint =
			"Enter one, or remove 'Deduplication'. Without a key, this message could be sent twice.";
		throw emptyField(keyText, item, hint);
	}
	if (!/[\p{L}\p{N}]/u.test(key)) {
		throw item.invalid(
			`The deduplication key has no letter or digit: '${item.quote(key)}'`,
			"Check the fields of its expression: they gave nothing for this item. For what some items lack, write {{ $json.id ?? 'none' }}.",
		);
	}
	const parts = item.parts(keyText.name);
	const isConstant = parts.every(({ isLeftOut }) => isLeftOut);
	const lacking = isConstant ? parts.slice(0, 1) : parts.filter(({ isMissing }) => isMissing);
	// An execution without an ID, as over MCP, has this one.
	const unknown = { code: key, isEmpty: key.includes('__UNKNOWN__') };
	const why = 'With the same key for several messages, only the first would be sent.';
	const message = 'A part of the deduplication key has no value';
	rejectEmptyPart(message, [...lacking, unknown], item, why);
	const isForAll = item.total > 1 && parts.length === 0;
	if (!isForAll || oncePerField.read(item) === 'keyAndNumber') return key;
	throw item.invalid(
		`The deduplication key is the same for all ${item.total} items: '${item.quote(key)}'`,
		"Use an expression that returns a different key for each message, e.g. {{ $json.orderId }}. To send one to each number, set 'Once Per' to Key and Number.",
	);
});

export type OncePer = ReturnType<typeof oncePerField.read>;

/** The name of a message, which is used up for every number or for the recipient alone. */
export interface Deduplication {
	key: string;
	oncePer: OncePer;
}

/** Its value is undefined for a message without a key. */
export const deduplicationOption = groupOption(
	{
		displayName: 'Deduplication',
		name: 'deduplication',
		default: { values: { key: keyField.default, oncePer: oncePerField.default } },
		description: 'Sends a message once, however often the workflow runs',
	},
	{ key: keyField, oncePer: oncePerField },
	({ oncePer, key }): Deduplication => ({ oncePer, key }),
	undefined,
);

/** Warns of an item's key that does not name its message. Never throws. @param to its number, with + */
export function warnOfKey(item: Item, to = ''): string {
	const read = (each: Item) => deduplicationOption.read(each)?.key ?? '';
	const key = read(item);
	try {
		if (key !== read(new Item(item.context, item.account, item.index, item.entered)))
			return " 'Key' changes each time it is read, so it cannot keep a message from being sent twice. Use a value that stays the same, e.g. {{ $json.orderId }}.";
	} catch {
		return '';
	}
	const digits = digitsOf(key).replace(/^0+/, '');
	if (digits.length > 7 && to.endsWith(digits) && !/\p{L}/u.test(key))
		return " 'Key' is the number itself: each person gets one message only. Add what it is about, e.g. a date.";
	const variables = enteredKey(item.entered).match(/\$\w+/g) ?? [];
	if (variables.length === 0 || variables.some((name) => name !== '$itemIndex')) return '';
	return " 'Key' is the item's place in the list: the next list is skipped. Use what names the message, e.g. {{ $json.orderId }}.";
}

/** Returns what was entered in a field of the option, expressions unevaluated; empty if there is none. */
const enteredIn = (ofNode: Entered, { name }: { name: string }): string =>
	String(ofNode.at('options', 'deduplication', 'values', name) ?? '');

/** Returns the key as entered, with its expressions; empty if there is none. */
export const enteredKey = (ofNode: Entered): string => enteredIn(ofNode, keyField);

/** Whether the node has a key that is the same in the next execution. */
export const hasLastingKey = (ofNode: Entered): boolean =>
	enteredKey(ofNode) !== '' &&
	[keyField, oncePerField].every((each) => isLasting(enteredIn(ofNode, each)));

/** Whether each number of a key gets its own message. */
export const isPerNumber = (ofNode: Entered): boolean =>
	enteredIn(ofNode, oncePerField) === 'keyAndNumber';
