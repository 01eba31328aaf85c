import type { IDataObject } from 'n8n-workflow';

import { inPlainCharacters, measureSms, explainLength, type SmsLength } from '../../text/sms';
import { number } from '../field';
import type { Item } from '../item';
import { option } from '../option';
import { messageText, choice, required, visible } from '../textField';

export const smsTextField = visible(
	messageText({
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 3 },
		required: true,
		default: '',
		placeholder: 'e.g. Hello Ana, your order is on its way.',
		hint: 'Up to 160 characters per SMS, 70 with á, ã, ç or an emoji',
		description: 'The text to send, without formatting',
	}),
	'Enter the text of the message.',
);

/** The most segments of a text whose item does not set 'Max Segments': 1,600 characters with á take 24. */
const usualMaxSegments = 25;

export const smsOptions = {
	characters: option(
		choice({
			displayName: 'Characters',
			name: 'characters',
			type: 'options',
			options: [
				{ name: 'As Entered', value: 'asEntered', description: 'Changes nothing' },
				{
					name: 'Plain',
					value: 'plain',
					description: 'Removes Markdown, and replaces “ – ã and the like if that saves segments',
				},
			],
			default: 'asEntered',
			description:
				"How to write the text, since a single “ or ã can double the price. 'Dry Run' shows what Plain saves.",
		}),
	),
	maxSegments: option<number | null>(
		number({
			displayName: 'Max Segments',
			name: 'maxSegments',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description:
				'How many SMS segments a text can take. Longer texts are not sent. If not set: 25.',
		}),
		null,
	),
	/** Interface §2.4: 'a string holding a digit'. Which codes there are is open: the service checks it. */
	smsType: option(
		required({
			displayName: 'SMS Type',
			name: 'smsType',
			type: 'string',
			default: '1',
			description:
				'Type of the SMS, a code in digits. Change it only if your messaging service says so.',
		}),
	),
};

/** Writes a text as 'Characters' says. @param end of the SMS, in plain characters */
export const applyCharacters = (item: Item, text: string, end?: string): string =>
	smsOptions.characters.read(item) === 'plain' ? inPlainCharacters(text, end) : text;

/** Returns the segments of a text by the choices of 'Characters'; undefined where they are the same. */
export function segmentsByCharacters(text: string, end = ''): IDataObject | undefined {
	const plain = inPlainCharacters(text, end);
	if (plain === text) return undefined;
	const [asEntered, less] = [text, plain].map((each) => measureSms(each + end).segments);
	return less === asEntered ? undefined : { asEntered, plain: less };
}

/** Explains in sentences why a text takes so many segments, and what makes it fewer, if anything does. */
export const explainSegments = (text: string, length: SmsLength): string =>
	segmentsByCharacters(text)
		? `${explainLength(text, length)} Set 'Characters' in the options to Plain for fewer.`
		: explainLength(text, length);

/** @param most the limit unless the item sets 'Max Segments' @throws NodeOperationError when it takes more segments */
export function readSmsLength(
	item: Item,
	text: string,
	{ name = "'Text'", most = usualMaxSegments } = {},
): SmsLength {
	const allowed = smsOptions.maxSegments.read(item) ?? most;
	const length = measureSms(text);
	if (length.segments <= allowed) return length;
	throw item.invalid(
		`${name} takes ${length.segments} segments, but 'Max Segments' allows ${allowed}`,
		`Shorten the text, or raise 'Max Segments' in the options. ${explainSegments(text, length)}`,
	);
}
