import {
	emptyField,
	messageText,
	number,
	option,
	refine,
	required,
	switchOption,
	type Field,
} from '../field';
import type { Item } from '../item';
import { removeAccents } from '../../text/sms/accents';
import { explainLength } from '../../text/sms/explainLength';
import { measureSms, type SmsLength } from '../../text/sms/length';
import { plainCharacters } from '../../text/sms/plain';
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

const removeAccentsOption = switchOption({
	displayName: 'Remove Accents',
	name: 'removeAccents',
	type: 'boolean',
	default: true,
	description: 'Whether to replace letters such as ã with a, so that more text fits into one SMS',
});

const plainCharactersOption = switchOption({
	displayName: 'Plain Characters',
	name: 'plainCharacters',
	type: 'boolean',
	default: true,
	description:
		'Whether to replace “ ” ’ – … • ™ and the like with plain characters where more text then fits into one SMS',
});

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
	maxSegments: maxSegmentsOption,
	plainCharacters: plainCharactersOption,
	refuseLandlines: refuseLandlinesOption,
	removeAccents: removeAccentsOption,
	smsType: smsTypeOption,
};

/** With accents and special characters replaced, where the options say so. */
export const smsTextField: Field<string> = {
	...textField,
	read(item) {
		const value = textField.read(item);
		if (value.trim() !== '') return shortened(item, value);
		throw emptyField(textField, item, 'Enter the text of the message.');
	},
};

/** Accents first: special characters are replaced only where no other letter remains. */
export function shortened(item: Item, text: string): string {
	const letters = removeAccentsOption.read(item) ? removeAccents(text) : text;
	return plainCharactersOption.read(item) ? plainCharacters(letters) : letters;
}

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
		`Shorten the text, or raise 'Max Segments' in the options. ${explainLength(text, length)}`,
	);
}
