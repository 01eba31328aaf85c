import { NodeOperationError } from 'n8n-workflow';

import { describeNumber, smsToField, toField } from '../../../../nodes/form/fields/to';
import { credential as brazilian } from '../../../../tools/shared/context';
import { makeItem } from '../../../../tools/shared/item';
import { mobiles, numbersOfType } from '../../support/numbers';

/** Without a country for numbers without +. */
const credential = { ...brazilian, defaultCountryCode: '' };

const read = async (to: unknown, options: object = {}, account: object = {}, field = toField) =>
	field.read(
		await makeItem(
			{ to: to as string, options: options as never },
			{ credential: { ...credential, ...account } },
		),
	);

const keep = { keepNumberAsEntered: true };

const refusal = async (...item: Parameters<typeof read>) => {
	const error = (await read(...item).catch((thrown: unknown) => thrown)) as NodeOperationError;
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.context.itemIndex).toBe(0);
	return error;
};

test.each(['+44 9012 345678', '+882 16 123456', '+55 800 123 4567', '+55 11 99999-9999'])(
	'what the refusal of %s says to keep is sent',
	async (to) => {
		const { description } = await refusal(to);
		const digits = /enter (\d+) and turn on 'Keep Number as Entered'/.exec(description!)![1]!;
		const kept = await read(digits, keep);
		expect(kept).toMatchObject({ to: digits, recipient: `+${digits}` });
	},
);

test.each([
	...['+11 91234-5678', '+55 00 91234-5678', '+55 11 00000-0000', '+55 91234-5678', '+999 1234567'],
])('no way leads to %s, which cannot exist', async (to) => {
	expect((await refusal(to)).description).not.toContain('Keep Number as Entered');
});

test('kept digits are what the service reads, not what the default country would make of them', async () => {
	const kept = await read('51991234567', keep, { defaultCountryCode: 'BR' });
	expect(kept).toMatchObject({ to: '51991234567', recipient: '+51991234567', country: 'PE' });
});

test('kept digits that end in zeros are meant so: a list of blocked numbers has them with their +', async () => {
	const kept = { to: '5511910000000', recipient: '+5511910000000', country: 'BR' };
	for (const entered of ['5511910000000', 5511910000000]) {
		expect(await read(entered, keep, { allowedCountries: 'BR' })).toMatchObject(kept);
	}
});

test('of what is entered, an error shows 200 characters at most, and no part of a secret', async () => {
	const { message, description } = await refusal('5'.repeat(5_000_000));
	expect(message).toBe(`'To' is not a phone number: '${'5'.repeat(200)}…'`);
	expect(description!.length).toBeLessThan(300);
	const secret = await refusal(`${'5'.repeat(190)}${credential.apiKey}`);
	expect(secret.message).not.toContain(credential.apiKey.slice(0, 6));
});

describe("with 'Default Country Code'", () => {
	test.each(['+51987654321', '+4551234567', '+4791234567', '+5351234567', '+34911234567'])(
		'what an output shows of %s is the same number again, not one of that country',
		async (entered) => {
			const account = { defaultCountryCode: '55' };
			const { to, recipient } = await read(entered, {}, account);
			expect(to).toBe(entered.slice(1));
			expect(await read(recipient, {}, account)).toMatchObject({ to, recipient });
		},
	);
});

test.each([
	['5511910000000', "turn on 'Keep Number as Entered' in the options.", 'included'],
	[
		'+5511910000000',
		"enter 5511910000000 and turn on 'Keep Number as Entered' in the options.",
		'',
	],
])('%s is rounded, unless it is kept as entered', async (to, hint, defaultCountryCode) => {
	const { message, description } = await refusal(to, {}, { defaultCountryCode });
	expect(message).toBe(`'To' seems to be rounded: '${to}'`);
	expect(description).toMatch(`To send to it anyway, ${hint}`);
	expect((await refusal('5.51191E+12')).description).not.toContain('Keep Number');
});

test('a list or an object of one value is that one', async () => {
	for (const to of [['+5511912345678'], { phone: '+5511912345678' }, { phone: 5511912345678 }]) {
		const number = await read(to, {}, { defaultCountryCode: '55' });
		expect(number).toMatchObject({ to: '5511912345678' });
	}
	for (const to of [[], {}, ['+5511912345678', '+5511987654321'], [['a', 'b']], { a: '1', b: '2' }])
		expect((await refusal(to)).message).toBe("'To' is not text");
});

test('nothing cannot be kept as entered', async () => {
	expect((await refusal(' ', keep)).message).toBe("'To' is empty");
});

test.each([
	['+55 (11) 91234-5678 ', '+5511912345678'],
	['0055 11 91234-5678', '+5511912345678'],
	['28282', '28282'], // a short number
	['2024-12-31', '2024-12-31'],
	['group-1@g.us', 'group-1@g.us'],
	[' support ', 'support'],
])('%s can be kept as entered, and still has its lane', async (to, recipient) => {
	expect(await read(to, { keepNumberAsEntered: 'true' })).toMatchObject({ to, recipient });
});

describe('a number that is kept as entered, with a do-not-contact list', () => {
	const account = { defaultCountryCode: 'BR', doNotContactWorkflowId: 'list' };

	test.each([
		['5511912345678', '+5511912345678'],
		['551020304050', '+551020304050'], // a range that no plan has yet
		['51991234567', '+51991234567'], // a number of Peru, as the service reads it
		['11 91234-5678', '+5511912345678'],
		['12345678', '+12345678'],
	])('%s is the number %s on the list', async (to, recipient) => {
		expect(await read(to, keep, account)).toMatchObject({ to, recipient });
	});

	test.each(['11912345678', '71991234567'])('%s lacks its country code: not sent', async (to) => {
		const { message, description } = await refusal(to, keep, account);
		expect(message).toBe(`'To' seems to lack its country code: '${to}'`);
		expect(description).toBe(`Write it with +: +55${to}, if that is who you mean.`);
		const abroad = { ...account, defaultCountryCode: '' };
		expect(await read(to, keep, abroad)).toMatchObject({ recipient: `+${to}` });
		expect(await read(to, keep, { defaultCountryCode: 'BR' })).toMatchObject({ to });
	});

	test.each([
		'28282',
		'group-1@g.us',
		'support',
		'2024-12-31',
		'+55 10 2030-4050',
		'01234567',
		'1234567890123456',
	])('%s is not sent: no list can hold it', async (to) => {
		expect((await refusal(to, keep, account)).message).toBe(
			`'To' cannot be on your do-not-contact list: '${to}'`,
		);
	});
});

describe("'Only These Countries'", () => {
	const account = { defaultCountryCode: 'BR', allowedCountries: ' br;PT ' };

	test.each<[string, object, string]>([
		['+55 11 91234-5678', {}, '5511912345678'],
		['11 91234-5678', {}, '5511912345678'],
		['+351 912 345 678', {}, '351912345678'],
		['551020304050', keep, '551020304050'], // a range that is not known
	])('%s with %j is sent', async (to, options, digits) => {
		expect(await read(to, options, account)).toMatchObject({ to: digits });
	});

	test('digits whose country code is included are of that country', async () => {
		const included = { ...account, defaultCountryCode: 'included' };
		expect(await read('351912345678', {}, included)).toMatchObject({ to: '351912345678' });
		expect((await refusal('51987654321', {}, included)).message).toContain('is in none of the');
	});

	const none = 'is in none of the countries that the credential allows';
	test.each<[string, object, string]>([
		['+1 202 555 0143', {}, `${none}: '12025550143'`],
		...[
			'51991234567',
			...['+55 11 91234-5678', '11 91234-5678', '881612345678', '28282', 'friends@g.us'],
		].map((to): [string, object, string] => [to, keep, `${none}: '${to}'`]),
	])('%s with %j is refused', async (to, options, reason) => {
		const error = await refusal(to, options, account);
		expect(error.message).toBe(`'To' ${reason}`);
		expect(error.description).toContain("'Only These Countries' in the credential allows BR, PT.");
	});
});

describe('what a dry run shows of a number', () => {
	const shownOf = (to: string, numberType: string, country?: string) => ({
		...{ to, person: to, country, numberType },
	});
	const mobile = shownOf('+5511912345678', 'mobile', 'BR');

	test.each<[unknown, object, object]>([
		['+55 11 91234-5678', {}, mobile],
		['+55 11 91234-5678', keep, mobile],
		['+800 1234 5678', {}, shownOf('+80012345678', 'globalNetwork')],
		['+55 11 3333-4444', {}, shownOf('+551133334444', 'landline', 'BR')],
		['449012345678', keep, shownOf('+449012345678', 'premiumRate', 'GB')],
		[
			'+54 11 2345-6789',
			{},
			{ ...shownOf('+541123456789', 'landline', 'AR'), person: '+5491123456789' },
		],
		['12345', keep, { to: '12345', person: '12345' }],
		[`Ana\n${credential.apiKey}`, {}, { to: 'Ana ***' }],
		[{ number: 1, other: 2 }, {}, {}],
		['', {}, { to: '' }],
	])('%j with %j', async (to, options, shown) => {
		const item = await makeItem({ to, options: options as never }, { credential });
		expect(describeNumber(item)).toEqual(shown);
	});

	test('nothing where its expression does not work', async () => {
		const item = await makeItem({ options: {} }, { credential });
		jest.spyOn(item, 'raw').mockImplementation(() => {
			throw new Error("Referenced node doesn't exist");
		});
		expect(describeNumber(item)).toEqual({});
	});
});

describe('no message goes to somebody else because of how a number is written', () => {
	/** What is sent, or the error. */
	const send = async (field: typeof toField, to: string, defaultCountryCode = '', options = {}) =>
		await read(to, options, { defaultCountryCode }, field).then(
			(number) => number.to,
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
});
