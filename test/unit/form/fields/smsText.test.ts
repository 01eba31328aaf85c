import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import {
	readSmsLength,
	segmentsByCharacters,
	smsTextField,
	written,
} from '../../../../nodes/form/fields/smsText';
import { makeItem } from '../../../../tools/shared/item';

const read = async (text: string, options: IDataObject = {}) => {
	const item = await makeItem({ text, options });
	return readSmsLength(item, written(item, smsTextField.read(item)));
};

test.each<[string, IDataObject, string]>([
	['“Olá”, José', { characters: 'asEntered' }, '“Olá”, José'],
	['“Olá”, José', { characters: 'plain' }, '“Olá”, José'], // with á, it would cost the same
	['“Hi”, José', { characters: 'plain' }, '"Hi", José'],
	['“Olá”, José', { characters: 'plainWithoutAccents' }, '"Ola", José'],
])('%j with %j is sent as %j', async (text, options, sent) => {
	expect(written(await makeItem({ options }), text)).toBe(sent);
});

test.each([' \n', '\u200b', '\ufeff\u200e', '\u2800'])(
	'a text without anything to see is none: %j',
	async (text) => {
		const item = await makeItem({ text });
		expect(() => smsTextField.read(item)).toThrow("'Text' is empty");
	},
);

test('a text is too long as it is written', async () => {
	const text = `Olá ${'x'.repeat(100)}`;
	await expect(read(text, { maxSegments: 1 })).rejects.toThrow('takes 2 segments');
	expect(await read(text, { maxSegments: 1, characters: 'plainWithoutAccents' })).toEqual({
		encoding: 'GSM-7',
		segments: 1,
		outside: undefined,
	});
});

const rest = 'x'.repeat(100);

test.each<[string, string, object | undefined]>([
	[`“Hi” ${rest}`, '', { asEntered: 2, plain: 1, plainWithoutAccents: 1 }],
	[`“Olá” ${rest}`, '', { asEntered: 2, plain: 2, plainWithoutAccents: 1 }],
	['Olá', `\n${rest}`, { asEntered: 2, plain: 2, plainWithoutAccents: 1 }],
	['Olá', '', undefined], // no choice saves anything
	[`Olá 😀 ${rest}`, '', undefined],
])('%j with %j costs, by the choice of characters: %j', (text, end, segments) => {
	expect(segmentsByCharacters(text, end)).toEqual(segments);
});

test.each<[string, string, boolean]>([
	['Olá', 'asEntered', true],
	['“Olá”', 'plain', true],
	['Olá 😀', 'asEntered', false],
	['Olá 😀', 'plainWithoutAccents', false],
])(
	"of %s %s that is too long, 'Characters' is named where it helps: %j",
	async (text, characters, helps) => {
		const error: unknown = await read(`${text} ${rest}`, { maxSegments: 1, characters }).catch(
			(thrown: unknown) => thrown,
		);
		const { description } = error as NodeOperationError;
		expect(description).toContain('one segment fits 70 characters');
		expect(description!.includes("'Characters' in the options")).toBe(helps);
	},
);
