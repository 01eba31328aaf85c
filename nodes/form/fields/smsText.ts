import type { IDataObject } from 'n8n-workflow';

import { choice, emptyField, messageText, number, option, refine, required } from '../field';
import type { Item } from '../item';
import { withoutAccents, inPlainCharacters } from '../../text/sms/plain';
import { explainLength, measureSms, type SmsLength } from '../../text/sms/length';
import { visible } from '../../text/text';
import { refuseLandlinesOption } from './to';

const textField = messageText({
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. Hello Ana, your order is on its way.',
	hint: 'Up to 160 characters per SMS, 70 with á, ã, ç or an emoji',
	description: 'The text to send, without formatting',
});

const noLimit = Number.MAX_SAFE_INTEGER;

const maxSegmentsOption = option(
	number({
		displayName: 'Max Segments',
		name: 'maxSegments',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: 'How many SMS segments a text can take. Longer texts are not sent.',
	}),
	noLimit,
);

type Characters = 'asEntered' | 'plain' | 'plainWithoutAccents';

const charactersOption = option(
	choice<Characters>({
		displayName: 'Characters',
		name: 'characters',
		type: 'options',
		options: [
			{ name: 'As Entered', value: 'asEntered', description: 'Changes nothing' },
			{
				name: 'Plain',
				value: 'plain',
				description: 'Replaces “ ” ’ – … • ™ and the like where more text then fits into one SMS',
			},
			{
				name: 'Plain, Without Accents',
				value: 'plainWithoutAccents',
				description: 'Also replaces letters such as ã with a',
			},
		],
		default: 'asEntered',
		description:
			"How to write the text, since a single “ or ã can double the price. 'Dry Run' shows what each choice saves.",
	}),
);

/** Accents first: special characters are replaced only where no other letter remains. */
const writers: Record<Characters, (text: string) => string> = {
	asEntered: (text) => text,
	plain: inPlainCharacters,
	plainWithoutAccents: (text) => inPlainCharacters(withoutAccents(text)),
};

/** Interface §2.4: 'a string holding a digit'. Which codes there are is open, so more digits pass. */
const smsTypeOption = option(
	refine(
		required({
			displayName: 'SMS Type',
			name: 'smsType',
			type: 'string',
			default: '1',
			description:
				'Type of the SMS, a code in digits. Change it only if your messaging service says so.',
		}),
		(type, owner) => {
			if (/^\d+$/.test(type)) return type;
			throw owner.invalid(
				`'SMS Type' is not a code in digits: '${owner.quote(type)}'`,
				'Enter the code of your messaging service, e.g. 1.',
			);
		},
	),
);

export const smsOptions = {
	characters: charactersOption,
	maxSegments: maxSegmentsOption,
	refuseLandlines: refuseLandlinesOption,
	smsType: smsTypeOption,
};

/** As entered. */
export const smsTextField = refine(textField, (value, reader) => {
	if (visible.test(value)) return value;
	throw emptyField(textField, reader, 'Enter the text of the message.');
});

/** As 'Characters' says. */
export const written = (item: Item, text: string): string =>
	writers[charactersOption.read(item)](text);

/**
 * What a text costs by the choices of 'Characters', in segments; undefined where none saves any.
 *
 * @param end of the SMS, in plain characters
 */
export function segmentsByCharacters(text: string, end = ''): IDataObject | undefined {
	const counts = Object.entries(writers).map(
		([name, write]) => [name, measureSms(write(text) + end).segments] as const,
	);
	return new Set(counts.map(([, segments]) => segments)).size > 1
		? Object.fromEntries(counts)
		: undefined;
}

/** Why a text takes so many segments, and what makes it fewer, if anything does; in sentences. */
export const explainSegments = (text: string, length: SmsLength): string =>
	segmentsByCharacters(text)
		? `${explainLength(text, length)} 'Characters' in the options replaces accents and typographic characters.`
		: explainLength(text, length);

/**
 * @param name of the text, for the error
 * @param most segments, unless the item sets 'Max Segments'
 * @throws NodeOperationError when it takes more segments than the item allows
 */
export function readSmsLength(
	item: Item,
	text: string,
	{ name = "'Text'", most = noLimit } = {},
): SmsLength {
	const entered = maxSegmentsOption.read(item);
	const allowed = entered === noLimit ? most : entered;
	const length = measureSms(text);
	if (length.segments <= allowed) return length;
	throw item.invalid(
		`${name} takes ${length.segments} segments, but 'Max Segments' allows ${allowed}`,
		`Shorten the text, or raise 'Max Segments' in the options. ${explainSegments(text, length)}`,
	);
}
