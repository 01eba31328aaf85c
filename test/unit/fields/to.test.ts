import { NodeOperationError } from 'n8n-workflow';

import { readDestination } from '../../../nodes/MessagingGateway/fields/to';
import { credential } from '../support/context';
import { makeItem } from '../support/item';

const read = async (to: unknown, options: object = {}, account: object = {}) =>
	readDestination(
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
	[5.5e12, '5500000000000'],
])('%j is sent as %s', async (to, digits) => {
	expect(await read(to)).toEqual({ to: digits, recipient: digits });
});

test.each<[unknown, string, RegExp]>([
	['1234567', "'To' is not a phone number: '1234567'", /^Enter 8 to 15 digits/],
	[' ana ', "'To' is not a phone number: 'ana'", /^Enter 8 to 15 digits/],
	['011 91234-5678', "'To' has no country code: '011 91234-5678'", /'Default Country Code'/],
	[
		'+55 (011) 91234-5678',
		"'To' is not a phone number: '+55 (011) 91234-5678'",
		/^The 0 in brackets/,
	],
	['+1 202-555-0143 (2)', "'To' is not a phone number: '+1 202-555-0143 (2)'", /an extension/],
	[5511912345678.5, "'To' is not a phone number: '5511912345678.5'", /a number with decimals/],
	['2024-12-31', "'To' is not a phone number: '2024-12-31'", /^It reads as a date/],
	[
		'192.168.100.200',
		"'To' is not a phone number: '192.168.100.200'",
		/^It reads as an IP address/,
	],
	['123.456.789-09', "'To' is not a phone number: '123.456.789-09'", /^It reads as a tax number/],
	['', "'To' is empty", /country code/],
	['   ', "'To' is empty", /country code/],
	[undefined, "'To' is empty", /country code/],
	[null, "'To' is empty", /country code/],
])('%j is an error of that item: %s', async (to, message, description) => {
	const error = await refusal(to);
	expect(error.message).toBe(message);
	expect(error.description).toMatch(description);
	if (!message.endsWith('empty')) expect(error.description).toContain('e.g. +55 11 91234-5678');
});

describe("with 'Default Country Code'", () => {
	test.each(['55', '+55', '0055', ' 55 '])('%s is put before numbers without one', async (code) => {
		const account = { defaultCountryCode: code };
		for (const [entered, sent] of [
			['(11) 91234-5678', '5511912345678'],
			['011 91234-5678', '5511912345678'],
			['+1 (202) 555-0143', '12025550143'],
			['5511912345678', '5511912345678'],
		]) {
			expect(await read(entered, {}, account)).toEqual({ to: sent, recipient: sent });
		}
	});

	test.each(['BR', '5a', '+', '0', '055', '5555', '55 11', '-55'])(
		'%s is told as what it is, whatever the number',
		async (code) => {
			const { message, description } = await refusal(
				'+5511912345678',
				{},
				{ defaultCountryCode: code },
			);
			expect(message).toBe(
				`'Default Country Code' in the Messaging Gateway credential is not a country code: '${code}'`,
			);
			expect(description).toContain('e.g. 55');
		},
	);

	test('a number that is kept as entered stays so', async () => {
		const account = { defaultCountryCode: '55' };
		const kept = await read('(11) 91234-5678', { keepNumberAsEntered: true }, account);
		expect(kept).toEqual({ to: '(11) 91234-5678', recipient: '11912345678' });
	});
});

test('nothing cannot be kept as entered', async () => {
	expect((await refusal(' ', { keepNumberAsEntered: true })).message).toBe("'To' is empty");
});

test.each([
	['+55 (11) 91234-5678 ', '5511912345678'],
	['0055 11 91234-5678', '5511912345678'],
	['123', '123'],
	['2024-12-31', '20241231'],
	['120363@g.us', '120363'],
	['support', 'support'],
	[' support ', 'support'],
])('%s can be kept as entered, and still has its lane', async (to, recipient) => {
	expect(await read(to, { keepNumberAsEntered: 'true' })).toEqual({ to, recipient });
});

test('whether it is kept has to be told', async () => {
	const { message } = await refusal('+5511912345678', { keepNumberAsEntered: 'maybe' });
	expect(message).toBe("'Keep Number as Entered' is neither true nor false");
});
