import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import {
	readSmsLength,
	segmentsByCharacters,
	smsTextField,
	applyCharacters,
} from '../../../../nodes/form/fields/smsText';
import { makeItem } from '../../../../tools/shared/item';

const read = async (text: string, options: IDataObject = {}) => {
	const item = await makeItem({ text, options });
	return readSmsLength(item, applyCharacters(item, smsTextField.read(item)));
};

const rest = 'x'.repeat(100);

test.each<[string, IDataObject, string]>([
	['“Olá”', {}, '“Olá”'],
	['“Olá”', { characters: 'asEntered' }, '“Olá”'],
	['“Olá”', { characters: 'plain' }, '"Ola"'],
])('%j with %j is sent as %j', async (text, options, sent) => {
	expect(applyCharacters(await makeItem({ options }), text, rest)).toBe(sent);
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
	expect(await read(text, { maxSegments: 1, characters: 'plain' })).toEqual({
		encoding: 'GSM-7',
		segments: 1,
		outside: undefined,
	});
});

test.each<[string, string, object | undefined]>([
	[`“Olá” ${rest}`, '', { asEntered: 2, plain: 1 }],
	['Olá', `\n${rest}`, { asEntered: 2, plain: 1 }],
	['Olá', '', undefined], // no choice saves anything
	[`Olá 😀 ${rest}`, '', undefined],
])('%j with %j costs, by the choice of characters: %j', (text, end, segments) => {
	expect(segmentsByCharacters(text, end)).toEqual(segments);
});

test.each<[string, string, boolean]>([
	['“Olá”', 'asEntered', true],
	['Olá 😀', 'asEntered', false],
	['Olá 😀', 'plain', false],
])("of %s %s too long, 'Characters' is named if it helps: %j", async (text, characters, helps) => {
	const error: unknown = await read(`${text} ${rest}`, { maxSegments: 1, characters }).catch(
		(thrown: unknown) => thrown,
	);
	const { description } = error as NodeOperationError;
	expect(description).toContain('one segment fits 70 characters');
	expect(description!.includes("'Characters' in the options")).toBe(helps);
});

test("a text takes 25 segments at most, unless 'Max Segments' says otherwise", async () => {
	const text = (segments: number) => 'x'.repeat(153 * segments);
	expect((await read(text(25))).segments).toBe(25);
	await expect(read(text(26))).rejects.toThrow("'Max Segments' allows 25");
	expect((await read(text(131), { maxSegments: 131 })).segments).toBe(131);
});
