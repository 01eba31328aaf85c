import { emptyField, switchOption, text, type Field } from '../field';
import type { Item } from '../item';
import { countryName } from '../../text/country';
import {
	digitsOf,
	parsePhoneNumber,
	type Doubt,
	type NumberPlan,
	type PhoneNumber,
} from '../../text/phoneNumber';

const numberField = text(
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. +55 11 91234-5678',
		hint: 'Start with + and the country code, e.g. +55',
		description: "The recipient's mobile number with + and country code. One number per item.",
	},
	'Use an expression that returns one number, e.g. {{ $json.phone }}. To send to a list, split it first, e.g. with a Split Out node.',
);

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
	/** As shown and compared: with + and country code, however entered; otherwise what was entered. */
	recipient: string;
}

/** A number that exists, and cannot be read as two (interface §2.2 to §2.4). */
export const toField: Field<Destination> = {
	...numberField,
	read: (item: Item) => readRecipient(item),
};

export const smsToField: Field<Destination> = {
	...numberField,
	read(item: Item) {
		const destination = readRecipient(item);
		const isRefused = refuseLandlinesOption.read(item) && destination.kind === 'landline';
		if (!isRefused || keepNumberAsEnteredOption.read(item)) return destination;
		throw item.invalid(
			`'To' is a landline: '${destination.recipient}'`,
			"Enter a mobile number, or turn off 'Refuse Landlines' in the options.",
		);
	},
};

/** The number to find messages by, in digits. */
export const toFindField: Field<string> = {
	...numberField,
	description: 'Phone number that the messages were sent to, with country code',
	read: (item: Item) => digitsOf(readNumber(item, "Or set 'Find By' to Message ID.").recipient),
};

/** What is known of an item's number, even if it is refused. Never throws. */
export function describeNumber(item: Item): Partial<ReturnType<typeof previewOf>> {
	let to: string | undefined; // not of what is no text, or whose expression fails
	try {
		to = item.quote(numberField.read(item));
		return previewOf(readNumber(item));
	} catch {
		return { to };
	}
}

export const previewOf = ({ recipient, country, kind }: Destination) => ({
	to: recipient,
	country,
	numberType: kind,
});

/** @param toFind ends the error where messages to any number that exists are looked for */
function readNumber(item: Item, toFind?: string): Destination {
	const entered = numberField.read(item);
	if (entered.trim() === '') {
		throw emptyField(numberField, item, 'Enter the phone number with + and its country code.');
	}
	if (keepNumberAsEnteredOption.read(item)) return keep(entered, item);
	// `+{{ $json.code }}{{ $json.phone }}` without the code is a number of another country.
	const [nothing] = entered.startsWith('+') ? item.emptyParts('to') : [];
	if (nothing)
		throw item.emptyPart(
			"A part of 'To' has no value",
			nothing,
			"Without it, the number is somebody else's.",
		);
	const number = parsePhoneNumber(entered, item.account.defaultCountryCode);
	const { digits = '', country, kind } = number;
	const exists = existing(number);
	if (!number.doubt || (exists && toFind))
		return { to: digits, recipient: `+${digits}`, country, kind };
	const [what, example] = refusals[number.doubt];
	// The cure of a number that does not exist, where there is one, is all there is to do.
	const howTo = number.doubt === 'noSuchNumber' && number.why ? '' : example;
	// The service takes digits only.
	const toEnter = entered === digits ? '' : `enter ${digits} and `;
	const howToKeep = `To send to it anyway, ${toEnter}turn on 'Keep Number as Entered' in the options.`;
	throw item.invalid(
		`'To' ${number.what ?? what}: '${item.quote(entered.trim())}'`,
		[howTo, number.why, toFind ?? (exists && howToKeep)].filter(Boolean).join(' '),
	);
}

/** Digits are read as the service reads them (interface §2.2 to §2.4), also six zeros: hence the space. */
function keep(entered: string, { account }: Item): Destination {
	const number = isDigits(entered)
		? parsePhoneNumber(`+ ${entered}`)
		: parsePhoneNumber(entered, account.defaultCountryCode);
	const { country, kind } = number;
	return { to: entered, recipient: existing(number) ?? entered.trim(), country, kind };
}

/** With its +, if it exists, even one that messages should not go to. */
const existing = ({ digits, doubt }: PhoneNumber): string | undefined =>
	digits && doubt !== 'noSuchNumber' && doubt !== 'noAreaCode' ? `+${digits}` : undefined;

const isDigits = (text: string): boolean => /^\d+$/.test(text);

const example = 'Enter one number with + and its country code, e.g. +55 11 91234-5678.';
const expensive = 'Messages to it can be expensive. Enter another number.';
const split = 'Use one number per item: split the list first, e.g. with a Split Out node.';

/** What is wrong with the number, and what to enter instead. */
const refusals: Record<Doubt, [what: string, howTo: string]> = {
	noNumber: ['is not a phone number', example],
	noSuchNumber: ['is not a phone number', example],
	severalParts: ['seems to contain an extension or a second number', example],
	decimals: ['has decimals', `${example} Use an expression that returns text or a whole number.`],
	date: ['seems to be a date', example],
	ipAddress: ['seems to be an IP address', example],
	taxId: ['seems to be a tax number (CPF)', example],
	email: ['is an e-mail address', example],
	chatId: ['is the ID of a chat, which holds no phone number', example],
	formula: [
		'is what a spreadsheet shows for a formula that does not work',
		'Correct the formula there, or enter the number itself.',
	],
	placeholder: [
		'is a placeholder, not a number',
		'Enter the number of the person, or leave this item out, e.g. with a Filter node.',
	],
	list: ['contains more than one phone number', split],
	noCountryCode: [
		'has no country code',
		"Set 'Default Country Code' in the credential, e.g. 55, or write the number with + and its country code, e.g. +55 11 91234-5678.",
	],
	noAreaCode: ['has no area code', ''],
	severalNumbers: ['can be read as more than one number', 'Enter it as the one you mean:'],
	extension: [
		'has an extension',
		'Messages cannot be sent to extensions. Enter a number without one.',
	],
	rounded: [
		'seems to be rounded',
		'Spreadsheets do that to long numbers. Format the column as text there, and enter the number again. One that really ends in zeros can be written with spaces, e.g. +55 11 91000 0000.',
	],
	premiumRate: ['is a premium-rate number', expensive],
	sharedCost: ['is a shared-cost number', expensive],
	tollFree: ['is a toll-free number', 'Those are for calls. Enter another number.'],
	globalNetwork: ['is a number of a satellite or global network', expensive],
};

/** @throws NodeOperationError also when the credential keeps to certain countries, and this is not one */
function readRecipient(item: Item): Destination {
	const destination = readNumber(item);
	const { allowedCountries: countries = [] } = item.account;
	if (countries.length === 0) return destination;
	const { to, recipient, country } = destination;
	const allows = `'Only These Countries' in the credential allows ${countries.join(', ')}.`;
	// What is kept and has more than digits, the service may read as a number of another country.
	if (!country || !isDigits(to)) {
		throw item.invalid(
			`'To' is in none of the countries that the credential allows: '${item.quote(to.trim())}'`,
			`${allows} Enter the number with + and its country code, without 'Keep Number as Entered'.`,
		);
	}
	if (countries.includes(country)) return destination;
	throw item.invalid(
		`'To' is a number of ${countryName(country)}: '${recipient}'`,
		`${allows} Enter a number of these countries, or add ${country} to them.`,
	);
}
