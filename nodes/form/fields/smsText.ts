import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item';
import { removeAccents } from '../../text/sms/accents';
import { explainLength } from '../../text/sms/explainLength';
import { measureSms, type SmsLength } from '../../text/sms/length';

export const smsTextField: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Hello Ana, your order is on its way.',
	description:
		'Text of the SMS, word for word as the recipient reads it: plain text, without Markdown, HTML or placeholders. 160 characters take one segment, or 70 if one of them, such as ã or an emoji, is not in the GSM-7 alphabet of SMS.',
};

const segment =
	'A segment holds 160 characters (153 where there are several), or 70 (67) if one of them, such as ã or an emoji, is not in the GSM-7 alphabet of SMS.';

/** @param mayTake what counts, and what happens to more */
export const smsTextOptions = (
	mayTake = 'How many segments a text may take: what is longer is not sent.',
	fallback = 1,
): INodeProperties[] => [
	{
		displayName: 'Max Segments',
		name: 'maxSegments',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: fallback,
		description: `${mayTake} ${segment}`,
	},
	{
		displayName: 'Remove Accents',
		name: 'removeAccents',
		type: 'boolean',
		default: false,
		description:
			'Whether to send letters that the GSM-7 alphabet of SMS lacks as their base letters, e.g. a for ã, so that a segment holds 160 characters instead of 70. What GSM-7 has stays, e.g. é; so does what is not a letter, e.g. an emoji.',
	},
];

/**
 * The text of an SMS, without accents where that is wanted.
 *
 * @throws NodeOperationError when it is empty
 */
export function readSmsText(item: Item): string {
	const text = item.text('text', 'Text');
	if (text.trim() === '') throw item.invalid("'Text' is empty", 'Enter the text of the message.');
	return withoutUnwantedAccents(item, text);
}

/** Without accents where that is wanted. */
export const withoutUnwantedAccents = (item: Item, text: string): string =>
	item.optionFlag('removeAccents', 'Remove Accents', false) ? removeAccents(text) : text;

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
	item.rejectMissing('maxSegments', 'Max Segments');
	const allowed = item.optionNumber('maxSegments', 'Max Segments', most, 1);
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
