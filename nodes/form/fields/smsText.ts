import { flag, number, option, text, type Field } from '../field';
import type { Item } from '../item';
import { removeAccents } from '../../text/sms/accents';
import { explainLength } from '../../text/sms/explainLength';
import { measureSms, type SmsLength } from '../../text/sms/length';

const textField = text({
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Hello Ana, your order is on its way.',
	description:
		'Text of the SMS, word for word as the recipient reads it: plain text, without Markdown, HTML or placeholders. 160 characters take one segment, or 70 if one of them, such as ã or an emoji, is not in the GSM-7 alphabet of SMS.',
});

const segment =
	'A segment holds 160 characters (153 where there are several), or 70 (67) if one of them, such as ã or an emoji, is not in the GSM-7 alphabet of SMS';

const maxSegmentsOption = option(
	number({
		displayName: 'Max Segments',
		name: 'maxSegments',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: `How many segments a text may take: what is longer is not sent. ${segment}.`,
	}),
);

const removeAccentsOption = option(
	flag({
		displayName: 'Remove Accents',
		name: 'removeAccents',
		type: 'boolean',
		default: false,
		description:
			'Whether to send letters that the GSM-7 alphabet of SMS lacks as their base letters, e.g. a for ã, so that a segment holds 160 characters instead of 70. What GSM-7 has stays, e.g. é; so does what is not a letter, e.g. an emoji.',
	}),
);

export const smsTextOptions = {
	maxSegments: maxSegmentsOption,
	removeAccents: removeAccentsOption,
};

/** @param mayTake what counts, and what happens to more */
export const questionTextOptions = (mayTake: string) => ({
	maxSegments: { ...maxSegmentsOption, default: 3, description: `${mayTake} ${segment}.` },
	removeAccents: removeAccentsOption,
});

/** The text of an SMS, without accents where that is wanted. */
export const smsTextField: Field<string> = {
	...textField,
	read(item) {
		const value = textField.read(item);
		if (value.trim() !== '') return withoutUnwantedAccents(item, value);
		throw item.invalid("'Text' is empty", 'Enter the text of the message.');
	},
};

/** Without accents where that is wanted. */
export const withoutUnwantedAccents = (item: Item, text: string): string =>
	removeAccentsOption.read(item) ? removeAccents(text) : text;

/**
 * How long a text is as an SMS.
 *
 * @param what the text is called, and how many segments it may take where the item does not say
 * @throws NodeOperationError when it takes more segments than the item allows
 */
export function readSmsLength(
	item: Item,
	text: string,
	{ name = "'Text'", most = Number.MAX_SAFE_INTEGER } = {},
): SmsLength {
	const allowed = maxSegmentsOption.read(item, most);
	const length = measureSms(text);
	if (length.segments <= allowed) return length;
	throw item.invalid(
		`${name} takes ${length.segments} segments, and 'Max Segments' allows ${allowed}`,
		[
			...explainLength(text, length),
			"Shorten the text, or raise 'Max Segments' in the options.",
		].join(' '),
	);
}
