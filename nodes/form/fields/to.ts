import { emptyField, switchOption, text, type Field } from '../field';
import type { Item } from '../item';
import {
	howToNameHomeCountry,
	parseHomeCountry,
	parsePhoneNumber,
	type NumberKind,
	type NumberPlan,
	type PhoneNumber,
} from '../../text/phoneNumber';

const numberField = text({
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +55 11 91234-5678',
	hint: 'Start with the country code, e.g. +55',
	description: "The recipient's mobile number with country code. One number per item.",
});

export const keepNumberAsEnteredOption = switchOption({
	displayName: 'Keep Number as Entered',
	name: 'keepNumberAsEntered',
	type: 'boolean',
	default: true,
	description:
		"Whether to send 'To' unchecked, exactly as entered. Use it if the node refuses a number that is correct.",
});

export const refuseLandlinesOption = switchOption({
	displayName: 'Refuse Landlines',
	name: 'refuseLandlines',
	type: 'boolean',
	default: true,
	description: 'Whether to refuse numbers that can only be landlines, which rarely receive SMS',
});

export interface Destination extends NumberPlan {
	/** As sent. */
	to: string;
	/** Identifies the recipient: the number in digits, however spelled; otherwise what was entered. */
	recipient: string;
}

/** A number that exists, and cannot be read as two (interface §2.2 to §2.4). */
export const toField: Field<Destination> = { ...numberField, read: readNumber };

export const smsToField: Field<Destination> = {
	...numberField,
	read(item) {
		const destination = readNumber(item);
		const isRefused = refuseLandlinesOption.read(item) && destination.kind === 'landline';
		if (!isRefused || keepNumberAsEnteredOption.read(item)) return destination;
		throw item.invalid(
			`'To' is a landline: '+${destination.to}'`,
			"Enter a mobile number, or turn off 'Refuse Landlines' in the options.",
		);
	},
};

/** The number to find messages by, in digits. */
export const toFindField: Field<string> = {
	...numberField,
	description: 'Phone number that the messages were sent to, with country code',
	read: (item) => readNumber(item, "Or set 'Find By' to Message ID.").recipient,
};

/** What is known of an item's number, even if it is refused. Never throws. */
export function describeNumber(item: Item): Partial<Preview> {
	try {
		return previewOf(readNumber(item));
	} catch {
		return { to: quoteEntered(item) };
	}
}

function quoteEntered(item: Item): string | undefined {
	try {
		return item.quote(numberField.read(item));
	} catch {
		return undefined; // not text, or its expression fails
	}
}

type Preview = {
	to: string;
	country?: string;
	numberType?: NumberKind;
};

export const previewOf = ({ to, country, kind }: Destination): Preview => ({
	to,
	country,
	numberType: kind,
});

const howToSend = "To send it as entered, turn on 'Keep Number as Entered' in the options.";

/** @param wayOut ends the error of a refused number */
function readNumber(item: Item, wayOut = howToSend): Destination {
	const entered = numberField.read(item);
	if (entered.trim() === '') {
		throw emptyField(numberField, item, 'Enter the phone number with its country code.');
	}
	const home = parseHomeCountry(item.names.defaultCountryCode);
	const number = parsePhoneNumber(entered, home);
	const isKept = keepNumberAsEnteredOption.read(item);
	if (!isKept && !home) rejectHomeCountry(item);
	if (!number.doubt) {
		const { digits, country, kind } = number;
		return { to: isKept ? entered : digits, recipient: digits, country, kind };
	}
	if (isKept) return { to: entered, recipient: entered.trim() };
	throw item.invalid(
		`'To' ${whatIs[number.doubt] ?? 'is not a phone number'}: '${item.quote(entered.trim())}'`,
		`${explain(number)} ${wayOut}`,
	);
}

type Refused = Extract<PhoneNumber, { doubt: string }>;

const whatIs: Partial<Record<Refused['doubt'], string>> = {
	noCountryCode: 'has no country code',
	severalNumbers: 'can be read as more than one number',
	list: 'contains more than one phone number',
};

/** What to enter instead, and why. */
function explain(refused: Refused): string {
	if (refused.doubt === 'list') {
		return 'Use one number per item: split the list first, e.g. with a Split Out node.';
	}
	if (refused.doubt === 'severalNumbers') {
		return `Enter it with + and its country code: ${refused.readings.join(' or ')}.`;
	}
	const why = refused.doubt === 'noSuchNumber' ? refused.reasons.join(' ') : whyNot[refused.doubt];
	return `Enter one number with its country code, e.g. +55 11 91234-5678. ${why}`.trim();
}

const whyNot: Record<
	Exclude<Refused['doubt'], 'severalNumbers' | 'noSuchNumber' | 'list'>,
	string
> = {
	noNumber: '',
	noCountryCode:
		"To use numbers of one country without its code, set 'Default Country Code' in the Messaging Gateway credential.",
	severalParts: 'It seems to contain an extension or a second number.',
	decimals: 'This one has decimals: use an expression that returns text or a whole number.',
	date: 'This seems to be a date.',
	ipAddress: 'This seems to be an IP address.',
	taxId: 'This seems to be a tax number (CPF).',
};

/** @throws NodeOperationError when the credential has something that is not a country */
function rejectHomeCountry(item: Item): void {
	const entered = item.names.defaultCountryCode;
	if (entered === '') return;
	throw item.invalid(
		`'Default Country Code' in the Messaging Gateway credential is not a country: '${item.quote(entered)}'`,
		howToNameHomeCountry,
	);
}
