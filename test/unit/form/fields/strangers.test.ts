/** No message goes to somebody else because of how a number is written, and no mobile is refused. */
import * as library from 'libphonenumber-js/max';
import type { NodeOperationError } from 'n8n-workflow';

import { smsToField, toField } from '../../../../nodes/form/fields/to';
import { credential } from '../../../../tools/shared/context';
import { makeItem } from '../../../../tools/shared/item';
import { mobiles, numbersOfType } from '../../support/numbers';

const read = async (field: typeof toField, to: string, defaultCountryCode = '', options = {}) =>
	field.read(
		await makeItem({ to, options }, { credential: { ...credential, defaultCountryCode } }),
	);

/** What is sent, or the error. */
const send = async (...entered: Parameters<typeof read>) =>
	await read(...entered).then(
		({ to }) => to,
		(thrown: NodeOperationError) => thrown,
	);

test('no mobile of any country is refused, with its + or as dialed there', async () => {
	expect(mobiles).toHaveLength(245);
	const others = numbersOfType('mobile', 2)
		// The library writes Gabon's old numbers as its new ones.
		.filter(({ country, number }) => country !== 'GA' && !/(\d)\1{6}$|0{6}$/.test(number));
	for (const number of [...mobiles, ...others]) {
		const digits = number.number.slice(1);
		const dialed = number.formatNational();
		expect([digits, await send(smsToField, number.formatInternational())]).toEqual([
			digits,
			digits,
		]);
		for (const home of [number.country!, number.countryCallingCode])
			expect([dialed, await send(smsToField, dialed, home)]).toEqual([dialed, digits]);
	}
});

test.each([
	['SMS', smsToField],
	['chat app', toField],
])('%s: the digits of a mobile abroad reach nothing but a mobile at home', async (_, field) => {
	const sent: Array<string | undefined> = [];
	for (const home of ['49', '43', '62', '39', '55', '381', '352', '86', '91']) {
		for (const { number, countryCallingCode } of mobiles) {
			const to = await send(field, number.slice(1), home);
			if (countryCallingCode === home || typeof to !== 'string') continue;
			sent.push(library.default(`+${to}`)!.getType());
		}
	}
	expect(new Set(sent)).toEqual(new Set(['MOBILE']));
	expect(sent.length).toBeLessThan(100); // of 2,200: a mobile at home comes first
});

test.each([
	['49', '5511912345678', '+49 551 1912345678 or +55 11 91234 5678'], // a landline at home
	['43', '573211234567', '+43 57 3211 234567 or +57 321 1234567'], // a VoIP number
])('with %s, %s: the error names both readings', async (home, digits, both) => {
	for (const field of [smsToField, toField])
		expect(await send(field, digits, home)).toMatchObject({
			message: `'To' can be read as more than one number: '${digits}'`,
			description: `Enter it as the one you mean: ${both}.`,
		});
});

test('a number of another country, as it is dialed there, is no landline here', async () => {
	expect(await send(smsToField, '(212) 555-0123', '55')).toMatchObject({
		message: "'To' is a landline of Brazil (+55): '(212) 555-0123'",
		description: 'Enter a mobile number. One of another country needs + and its country code.',
	});
	const kept = await send(smsToField, '552125550123', '55', { keepNumberAsEntered: true });
	expect(kept).toBe('552125550123');
});

test.each([
	...['(212) 987-6543', '(11) 3333-4444', '919-999-1234', '(11) 99999-9999', '5511910000000'],
	...['0900 123456', '00000000000', '447911000000', '1234'],
])('%s may be of another country: it needs its +, and is not kept as entered', async (to) => {
	const { description } = (await send(smsToField, to, '55')) as NodeOperationError;
	expect(description).toMatch(/needs \+ and its country code|written with \+/);
	expect(description).not.toContain('Keep Number as Entered');
});

describe.each(['landline', 'pager', 'voicemail', 'company'])('an SMS to a %s', (type) => {
	const numbers = numbersOfType(type, 5)
		.filter((number) => !number.getType()!.includes('MOBILE'))
		.filter(({ number }) => !/(\d)\1{6}$|0{6}$/.test(number));

	test('is refused in all countries, unless the number is kept as entered; a chat app may have it', async () => {
		expect(numbers.length).toBeGreaterThan(type === 'landline' ? 500 : 4);
		for (const { number } of numbers) {
			expect([number, await send(smsToField, number)]).toEqual([number, expect.any(Error)]);
			const digits = number.slice(1);
			expect(await send(smsToField, digits, '', { keepNumberAsEntered: true })).toBe(digits);
			expect(await send(toField, number)).toBe(digits);
		}
	});
});

test.each([
	['+54 11 2345-6789', ''],
	['011 2345-6789', 'AR'],
])('Argentina without its 9, %s: the error gives the number with it', async (entered, home) => {
	const { description } = (await send(smsToField, entered, home)) as NodeOperationError;
	expect(description).toContain('+54 9 11 2345 6789');
	expect(await send(smsToField, /\+54 9[\d ]+\d/.exec(description!)![0])).toBe('5491123456789');
});
