import type { Channel } from '../../service/endpoints/campaigns';
import {
	personOf,
	parsePhoneNumber,
	objectionTo,
	withPlus,
	type NumberPlan,
} from '../../text/phoneNumber';
import { digitsOf } from '../../text/spelling';
import type { Field } from '../field';
import type { Item } from '../item';
import { switchOption } from '../option';
import { emptyField, rejectEmptyPart, text } from '../textField';

const numberText = text(
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. +55 11 91234-5678',
		hint: "Without +, the credential's 'Default Country Code' is added",
		description: "The recipient's mobile number. One number per item.",
	},
	'Use an expression that returns one number, e.g. {{ $json.phone }}. To send to a list, split it first, e.g. with a Split Out node.',
);

/** A list or an object with one value is that value. */
const numberField: typeof numberText = {
	...numberText,
	parse(entered, reader) {
		const values: unknown[] = typeof entered === 'object' ? Object.values(entered ?? {}) : [];
		return numberText.parse(values.length === 1 ? values[0] : entered, reader);
	},
};

export const keepNumberAsEnteredOption = switchOption({
	displayName: 'Keep Number as Entered',
	name: 'keepNumberAsEntered',
	type: 'boolean',
	default: true,
	description:
		"Whether to send 'To' unchecked, exactly as entered. Use it if the node refuses a number that is correct.",
});

export interface Destination extends NumberPlan {
	/** The number as it is sent. */
	to: string;
	/** The number as it is shown: with + and country code, or else as entered. */
	recipient: string;
}

/** Returns the field of a number that messages of the channel may go to (interface §2.2 to §2.4). */
const recipientField = (channel: Channel): Field<Destination> => ({
	...numberField,
	read: (item: Item) => checkCountry(item, readNumber(item, channel)),
});

export const toField = recipientField('chatApp');
export const smsToField = recipientField('sms');

/** Its value is the number to find messages by, in digits. */
export const toFindField: Field<string> = {
	...numberField,
	description: 'Phone number that the messages were sent to, with country code',
	read: (item: Item) => personOf(digitsOf(readNumber(item).recipient)),
};

/** Returns what is known of an item's number, even if it is refused. Never throws. */
export function describeNumber(item: Item): Partial<ReturnType<typeof previewOf>> {
	let to: string | undefined; // stays undefined for what is no text, or where the expression fails
	try {
		to = item.quote(numberField.read(item));
		return previewOf(readNumber(item));
	} catch {
		return { to };
	}
}

/** Returns an item's number as it is shown, also if it is refused; undefined if there is none. Never throws. */
export const destinationOf = (item: Item): string | undefined =>
	describeNumber(item).to || undefined;

export const previewOf = ({ recipient, country, kind }: Destination) => ({
	to: recipient,
	person: personOf(recipient),
	country,
	numberType: kind,
});

/** @param channel of a message; without one, any number that exists will do, as to find messages by */
function readNumber(item: Item, channel?: Channel): Destination {
	const entered = numberField.read(item);
	if (entered.trim() === '') {
		throw emptyField(numberField, item, 'Enter the phone number with + and its country code.');
	}
	if (keepNumberAsEnteredOption.read(item)) return keptNumber(entered, item);
	const why = "Without it, the number is somebody else's.";
	rejectEmptyPart("A part of 'To' has no value", neededParts(entered, item), item, why);
	const number = parsePhoneNumber(entered, item.account.defaultCountryCode);
	const { digits, today, country, kind, isInternational } = number;
	const problem = channel
		? (number.problem ?? objectionTo(number, channel))
		: !digits && number.problem;
	const to = channel === 'sms' ? today! : digits!;
	if (!problem) return { to, recipient: `+${to}`, country, kind };
	// The service takes digits only.
	const toEnter = entered === digits ? '' : `enter ${digits} and `;
	const wayOut = channel
		? digits &&
			isInternational &&
			`To send to it anyway, ${toEnter}turn on 'Keep Number as Entered' in the options.`
		: "Or set 'Find By' to Message ID.";
	throw item.invalid(
		`'To' ${problem.what}: '${item.quote(entered.trim())}'`,
		[problem.hint, wayOut].filter(Boolean).join(' '),
	);
}

/**
 * Returns the parts of an expression without which its number is one of another country: all of
 * `+{{ $json.code }}{{ $json.phone }}`. Without a + it may be the first: `{{ $json.plus }}{{ $json.phone }}`.
 */
function neededParts(entered: string, item: Item) {
	const parts = item.parts(numberField.name);
	const hasPlus = entered.includes('+');
	const isIncluded = !hasPlus && item.account.defaultCountryCode === 'included';
	if (isIncluded || /^(?:[a-z]+:)?(?:\+|00)/i.test(entered)) return parts;
	return hasPlus ? [] : parts.slice(0, 1).filter(({ isLeftOut }) => !isLeftOut);
}

/**
 * Digits are read as the service reads them (interface §2.2 to §2.4), also six zeros: hence the space. A list
 * is asked about a number that no plan has yet by its digits, and nothing is sent that it cannot hold.
 */
function keptNumber(entered: string, item: Item): Destination {
	const { account } = item;
	const readHere = () => parsePhoneNumber(entered, account.defaultCountryCode);
	const { digits, country, kind } = isDigits(entered)
		? parsePhoneNumber(`+ ${entered}`)
		: readHere();
	const recipient = digits ? `+${digits}` : withPlus(entered.trim());
	const kept = { to: entered, recipient, country, kind };
	if (digits || !account.doNotContactWorkflowId) return kept;
	const { digits: atHome } = readHere();
	if (!atHome && recipient !== entered.trim()) return kept;
	const [what, hint] = atHome
		? ['seems to lack its country code', `Write it with +: +${atHome}, if that is who you mean.`]
		: ['cannot be on your do-not-contact list', 'Enter 8 to 15 digits, country code first.'];
	throw item.invalid(`'To' ${what}: '${item.quote(entered.trim())}'`, hint);
}

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** @throws NodeOperationError when the credential keeps to certain countries, and this is not one */
function checkCountry(item: Item, destination: Destination): Destination {
	const { to, country } = destination;
	const { allowedCountries: countries = [] } = item.account;
	// The service may read a kept number that has more than digits as one of another country.
	const isAllowed = country !== undefined && countries.includes(country) && isDigits(to);
	if (countries.length === 0 || isAllowed) return destination;
	throw item.invalid(
		`'To' is in none of the countries that the credential allows: '${item.quote(to.trim())}'`,
		`'Only These Countries' in the credential allows ${countries.join(', ')}. Enter a number of these with + and its country code, without 'Keep Number as Entered'.`,
	);
}
