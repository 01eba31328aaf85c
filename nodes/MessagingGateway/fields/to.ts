import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item/item';

export const toField: INodeProperties = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +55 11 91234-5678',
	description:
		'Destination number with country code. Spaces, dots, dashes, brackets and a leading + or 00 are removed before sending.',
};

export const keepNumberAsEnteredOption: INodeProperties = {
	displayName: 'Keep Number as Entered',
	name: 'keepNumberAsEntered',
	type: 'boolean',
	default: false,
	description:
		"Whether to send 'To' exactly as entered, without removing characters and without checking its length",
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
 * @throws NodeOperationError when it has fewer than 8 or more than 15 digits (E.164), or letters
 */
export function readDestination(item: Item): Destination {
	const entered = item.text('to', 'To');
	const recipient = toDigits(entered) || entered.trim();
	if (recipient === '') {
		throw item.invalid("'To' is empty", 'Enter the destination number with its country code.');
	}
	const asEntered = item.option('keepNumberAsEntered') ?? false;
	if (item.flag(asEntered, 'Keep Number as Entered')) return { to: entered, recipient };

	if (!isSpelledNumber(entered) || !/^\d{8,15}$/.test(recipient)) {
		throw item.invalid(
			`'To' is not a phone number: '${entered.trim()}'`,
			"Enter 8 to 15 digits, country code first, e.g. +55 11 91234-5678. To send it as it is, turn on 'Keep Number as Entered' in the options.",
		);
	}
	return { to: recipient, recipient };
}

/** Digits, with what people put between them; a plus only in front, and no second number. */
const isSpelledNumber = (text: string): boolean =>
	/^[\s(\p{Cf}]*\+?[\d\s()./\u2010-\u2015\p{Cf}-]*$/u.test(text) && !/\s\//.test(text);

/**
 * `+55 (11) 91234-5678` and `0055 11 912345678` → `5511912345678`. A zero in brackets behind the
 * country code is for calls from within the country: `+44 (0)20 7946 0958` → `442079460958`.
 */
export function toDigits(number: string): string {
	return number
		.replace(/^(\D*(?:\+|00)\s*\d{1,3}\s*)\(0\)/, '$1')
		.replace(/\D/g, '')
		.replace(/^00/, '');
}
