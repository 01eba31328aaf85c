import fc from 'fast-check';
import { NodeOperationError } from 'n8n-workflow';

import { readDestination, toDigits } from '../../../nodes/MessagingGateway/fields/to';
import { makeItem } from '../support/item';

const read = async (to: unknown, options: object = {}) =>
	readDestination(await makeItem({ to: to as string, options: options as never }));

test.each<[unknown, string]>([
	['+55 (11) 91234-5678', '5511912345678'],
	['0055 11 91234.5678', '5511912345678'],
	['+0055 11 912345678', '5511912345678'],
	['55\u00a011\u201391234\u20115678', '5511912345678'],
	[5511912345678, '5511912345678'],
	['  12345678 ', '12345678'],
	['123456789012345', '123456789012345'],
	['+44 (0)20 7946 0958', '442079460958'],
	['0044(0)20 7946 0958', '442079460958'],
	['(+49) 201/123456', '49201123456'],
])('%j is sent as %s', async (to, digits) => {
	expect(await read(to)).toEqual({ to: digits, recipient: digits });
});

test.each([
	['1234567', "'To' is not a phone number: '1234567'"],
	['1234567890123456', "'To' is not a phone number"],
	['00 123 4567', "'To' is not a phone number"],
	['+55 11 CALL-NOW', "'To' is not a phone number"],
	['5511912345678@g.us', "'To' is not a phone number"],
	['+55 11 91234-5678 / 91234-8765', "'To' is not a phone number"],
	['5511912345678 +5511', "'To' is not a phone number"],
	['+', "'To' is not a phone number"],
	['', "'To' is empty"],
	['   ', "'To' is empty"],
	[undefined, "'To' is empty"],
	[null, "'To' is empty"],
])('%j is an error of that item', async (to, message) => {
	const error = (await read(to).catch((thrown: unknown) => thrown)) as NodeOperationError;
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error.message).toContain(message);
	expect(error.context.itemIndex).toBe(0);
});

test('nothing cannot be kept as entered', async () => {
	await expect(read(' ', { keepNumberAsEntered: true })).rejects.toThrow("'To' is empty");
});

test.each([
	['+55 (11) 91234-5678 ', '5511912345678'],
	['123', '123'],
	['120363@g.us', '120363'],
	['support', 'support'],
])('%s can be kept as entered, and still has its lane', async (to, recipient) => {
	expect(await read(to, { keepNumberAsEntered: true })).toEqual({ to, recipient });
});

const digits = fc.stringMatching(/^[1-9][0-9]{7,14}$/);
const between = fc.constantFrom(
	'',
	'',
	' ',
	'-',
	'.',
	'(',
	')',
	') ',
	' - ',
	'/',
	'\u2011',
	'\u00a0',
);

test('one number, however it is spelled, is sent as the same digits', async () => {
	const spelled = digits.chain(
		(number) =>
			fc
				.tuple(fc.constantFrom('', '+', '00', '+ ', '00 '), fc.array(between, { minLength: 15 }))
				.map(([prefix, fill]) => ({
					number,
					text: prefix + [...number].map((digit, index) => digit + fill[index]!).join(''),
				}))
				.filter(({ text }) => !text.includes('(0)')), // that one is left out
	);
	await fc.assert(
		fc.asyncProperty(spelled, async ({ number, text }) => {
			expect(await read(text)).toEqual({ to: number, recipient: number });
		}),
	);
});

test('whatever is entered: 8 to 15 digits, or an error of that item', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.oneof(fc.string(), fc.stringMatching(/^[-+ ()\d]{0,20}$/)),
			async (text) => {
				const result = await read(text).catch((thrown: unknown) => thrown);
				if (result instanceof NodeOperationError) return;
				expect(result).toEqual({
					to: toDigits(text),
					recipient: expect.stringMatching(/^\d{8,15}$/),
				});
			},
		),
	);
});
