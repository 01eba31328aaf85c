import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item/item';
import { parseCountryCode, parsePhoneNumber, type Doubt } from './phoneNumber';

export const toField: INodeProperties = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +55 11 91234-5678',
	hint: "The country code is needed, unless 'Default Country Code' is set in the credential",
	description:
		'Phone number of one recipient with country code, e.g. +5511912345678; not a name, not several numbers. Spaces, dots, dashes, brackets and a leading + or 00 are removed before sending. What would have to be guessed is not sent.',
};

export const keepNumberAsEnteredOption: INodeProperties = {
	displayName: 'Keep Number as Entered',
	name: 'keepNumberAsEntered',
	type: 'boolean',
	default: false,
	description:
		"Whether to send 'To' exactly as entered, without removing or adding anything and without checking it. For a number that is right although this node refuses it.",
};

export interface Destination {
	/** As it is sent. */
	to: string;
	/** Digits alone: one number, however it is spelled. As entered where there is none. */
	recipient: string;
}

/**
 * The destination number of an item: digits with country code (interface §2.2 to §2.4).
 *
 * @throws NodeOperationError when the digits would have to be guessed, or are not 8 to 15 (E.164)
 */
export function readDestination(item: Item): Destination {
	const entered = item.text('to', 'To');
	if (entered.trim() === '') {
		throw item.invalid("'To' is empty", 'Enter the destination number with its country code.');
	}
	if (item.optionFlag('keepNumberAsEntered', 'Keep Number as Entered', false)) {
		const digits = parsePhoneNumber(entered).digits ?? entered.replace(/\D/g, '');
		return { to: entered, recipient: digits || entered.trim() };
	}
	const { digits, doubt } = parsePhoneNumber(entered, readCountryCode(item));
	if (doubt) {
		throw item.invalid(
			`'To' ${doubt === 'noCountryCode' ? 'has no country code' : 'is not a phone number'}: '${entered.trim()}'`,
			`${explain[doubt]} Enter 8 to 15 digits, country code first, e.g. +55 11 91234-5678. To send it as it is, turn on 'Keep Number as Entered' in the options.`.trim(),
		);
	}
	return { to: digits, recipient: digits };
}

/** What was read, and why it is not sent. */
const explain: Record<Doubt, string> = {
	noNumber: '',
	length: '',
	noCountryCode:
		"A 0 in front is for calls from within one country, and no country is named. Set 'Default Country Code' in the Messaging Gateway credential for numbers that are written like that.",
	innerZero:
		'The 0 in brackets may or may not belong to the number. Leave it out if it is for calls from within the country.',
	severalParts: 'It seems to hold an extension or a second number. Enter one number alone.',
	decimals: 'It reads as a number with decimals. Let the expression give a text or a whole number.',
	date: 'It reads as a date.',
	ipAddress: 'It reads as an IP address.',
	taxId: 'It reads as a tax number (CPF).',
};

function readCountryCode(item: Item): string {
	const entered = item.names.defaultCountryCode;
	const code = entered === '' ? '' : parseCountryCode(entered);
	if (code !== undefined) return code;
	throw item.invalid(
		`'Default Country Code' in the Messaging Gateway credential is not a country code: '${entered}'`,
		'Enter its digits there, e.g. 55, or leave it empty.',
	);
}
