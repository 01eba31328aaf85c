import { NodeOperationError } from 'n8n-workflow';

import { describeNumber, smsToField, toField } from '../../../../nodes/form/fields/to';
import { credential } from '../../../../tools/shared/context';
import { makeItem } from '../../../../tools/shared/item';

const read = async (to: unknown, options: object = {}, account: object = {}) =>
	toField.read(
		await makeItem(
			{ to: to as string, options: options as never },
			{ credential: { ...credential, ...account } },
		),
	);

const refusal = async (...item: Parameters<typeof read>) => {
	const error = (await read(...item).catch((thrown: unknown) => thrown)) as NodeOperationError;
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.context.itemIndex).toBe(0);
	return error;
};

test.each<[unknown, string]>([
	['+55 (11) 91234-5678', '5511912345678'],
	[5511912345678, '5511912345678'],
	[5.511912345678e12, '5511912345678'],
])('%j is sent as %s', async (to, digits) => {
	expect(await read(to)).toMatchObject({ to: digits, recipient: digits });
});

test.each<[unknown, string, RegExp]>([
	[
		'+55 11 9123',
		"'To' is not a phone number: '+55 11 9123'",
		/^Enter one number with its country code.*\. \+55119123 is too short for Brazil \(\+55\)\./,
	],
	[' ana ', "'To' is not a phone number: 'ana'", /^Enter one number with its country code/],
	[
		'(51) 99123-4567',
		"'To' has no country code: '(51) 99123-4567'",
		/To use numbers of one country without its code/,
	],
	['011 91234-5678', "'To' has no country code: '011 91234-5678'", /'Default Country Code'/],
	['+1 202-555-0143 (2)', "'To' is not a phone number: '+1 202-555-0143 (2)'", /an extension/],
	[5511912345678.5, "'To' is not a phone number: '5511912345678.5'", /This one has decimals/],
	['2024-12-31', "'To' is not a phone number: '2024-12-31'", /This seems to be a date/],
	[
		'192.168.100.200',
		"'To' is not a phone number: '192.168.100.200'",
		/This seems to be an IP address/,
	],
	[
		'123.456.789-09',
		"'To' is not a phone number: '123.456.789-09'",
		/This seems to be a tax number/,
	],
	['', "'To' is empty", /country code/],
	['   ', "'To' is empty", /country code/],
	[undefined, "'To' is empty", /country code/],
	[null, "'To' is empty", /country code/],
])('%j is an error of that item: %s', async (to, message, description) => {
	const error = await refusal(to);
	expect(error.message).toBe(message);
	expect(error.description).toMatch(description);
	if (message.endsWith('empty')) return;
	expect(error.description).toContain('e.g. +55 11 91234-5678');
	expect(error.description).toMatch(/turn on 'Keep Number as Entered' in the options\.$/);
});

test('the error of a number that can be read as two shows both', async () => {
	const { message, description } = await refusal('51 99123-4567', {}, { defaultCountryCode: 'BR' });
	expect(message).toBe("'To' can be read as more than one number: '51 99123-4567'");
	expect(description).toBe(
		"Enter it with + and its country code: +55 51 99123 4567 (Brazil) or +51 991 234 567 (Peru). To send it as entered, turn on 'Keep Number as Entered' in the options.",
	);
});

test('of what is entered, an error shows 200 characters at most, and no part of a secret', async () => {
	const { message, description } = await refusal('5'.repeat(5_000_000));
	expect(message).toBe(`'To' is not a phone number: '${'5'.repeat(200)}…'`);
	expect(description!.length).toBeLessThan(300);
	const secret = await refusal(`${'5'.repeat(190)}${credential.apiKey}`);
	expect(secret.message).not.toContain(credential.apiKey.slice(0, 6));
});

describe("with 'Default Country Code'", () => {
	test.each(['55', '+55', '0055', ' 55 ', 'BR', 'br'])(
		'%s is put before numbers without one',
		async (code) => {
			const account = { defaultCountryCode: code };
			for (const [entered, sent] of [
				['(11) 91234-5678', '5511912345678'],
				['011 91234-5678', '5511912345678'],
				['+1 (202) 555-0143', '12025550143'],
				['5511912345678', '5511912345678'],
			]) {
				expect(await read(entered, {}, account)).toMatchObject({ to: sent, recipient: sent });
			}
		},
	);

	test.each(['Brazil', '5a', '+', '0', '055', '5555', '55 11', '-55'])(
		'%s is refused for any number',
		async (code) => {
			const { message, description } = await refusal(
				'+5511912345678',
				{},
				{ defaultCountryCode: code },
			);
			expect(message).toBe(
				`'Default Country Code' in the Messaging Gateway credential is not a country: '${code}'`,
			);
			expect(description).toContain('e.g. 55, or a country, e.g. BR');
		},
	);

	test('a number that is kept as entered stays so', async () => {
		const account = { defaultCountryCode: '55' };
		const kept = await read('(11) 91234-5678', { keepNumberAsEntered: true }, account);
		expect(kept).toMatchObject({ to: '(11) 91234-5678', recipient: '5511912345678' });
	});

	test('a number that is kept needs none', async () => {
		const account = { defaultCountryCode: 'Brazil' };
		const kept = await read('0800', { keepNumberAsEntered: true }, account);
		expect(kept).toMatchObject({ to: '0800', recipient: '0800' });
	});
});

test('nothing cannot be kept as entered', async () => {
	expect((await refusal(' ', { keepNumberAsEntered: true })).message).toBe("'To' is empty");
});

test.each([
	['+55 (11) 91234-5678 ', '5511912345678'],
	['0055 11 91234-5678', '5511912345678'],
	['123', '123'],
	['2024-12-31', '2024-12-31'],
	['group-1@g.us', 'group-1@g.us'],
	['list-1@g.us', 'list-1@g.us'],
	['support', 'support'],
	[' support ', 'support'],
])('%s can be kept as entered, and still has its lane', async (to, recipient) => {
	expect(await read(to, { keepNumberAsEntered: 'true' })).toMatchObject({ to, recipient });
});

describe("'Refuse Landlines'", () => {
	const sms = async (to: string, options: object) =>
		smsToField.read(await makeItem({ to, options: options as never }, { credential }));

	test('refuses what can only be a landline', async () => {
		const sent = sms('+55 11 3333-4444', { refuseLandlines: true });
		await expect(sent).rejects.toMatchObject({
			message: "'To' is a landline: '+551133334444'",
			description: "Enter a mobile number, or turn off 'Refuse Landlines' in the options.",
		});
	});

	test.each([
		['+55 11 91234-5678', { refuseLandlines: true }, '5511912345678'],
		['+1 202 555 0143', { refuseLandlines: 'true' }, '12025550143'], // a landline or a mobile
		['+55 11 3333-4444', { refuseLandlines: false }, '551133334444'],
		['+55 11 3333-4444', {}, '551133334444'],
	])('%s with %j is sent', async (to, options, digits) => {
		expect(await sms(to, options)).toMatchObject({ to: digits, recipient: digits });
	});

	test('a number that is kept as entered is not checked', async () => {
		const options = { refuseLandlines: true, keepNumberAsEntered: true };
		expect((await sms('551133334444', options)).to).toBe('551133334444');
	});
});

describe('what a dry run shows of a number', () => {
	const keep = { keepNumberAsEntered: true };

	test.each<[unknown, object, object]>([
		['+55 11 91234-5678', {}, { to: '5511912345678', country: 'BR', numberType: 'mobile' }],
		['+55 11 3333-4444', {}, { to: '551133334444', country: 'BR', numberType: 'landline' }],
		['+1 202 555 0143', {}, { to: '12025550143', country: 'US', numberType: 'landlineOrMobile' }],
		['+44 300 123 4567', {}, { to: '443001234567', country: 'GB', numberType: 'company' }],
		['+800 1234 5678', {}, { to: '80012345678', numberType: 'tollFree' }],
		['+55 11 91234-5678', keep, { to: '+55 11 91234-5678', country: 'BR', numberType: 'mobile' }],
		['12345', keep, { to: '12345' }],
		['12345', {}, { to: '12345' }],
		[`Ana\n${credential.apiKey}`, {}, { to: 'Ana •••' }],
		[{ number: 1 }, {}, {}],
		['', {}, { to: '' }],
	])('%j with %j', async (to, options, shown) => {
		const item = await makeItem({ to, options: options as never }, { credential });
		expect(describeNumber(item)).toEqual(shown);
	});

	test('nothing where its expression does not work', async () => {
		const item = await makeItem({ options: {} }, { credential });
		jest.spyOn(item, 'parameter').mockImplementation(() => {
			throw new Error("Referenced node doesn't exist");
		});
		expect(describeNumber(item)).toEqual({});
	});
});
