import fc from 'fast-check';

import { removeAccents } from '../../../../nodes/text/sms/accents';
import { explainLength } from '../../../../nodes/text/sms/explainLength';
import { measureSms } from '../../../../nodes/text/sms/length';
import { plainCharacters } from '../../../../nodes/text/sms/plain';
import { runs } from '../../support/runs';
import { texts } from './texts';

const explain = (text: string) => explainLength(text, measureSms(text));
const long = 'a'.repeat(200);

test.each([
	[long, []],
	[`${long} {€} €`, ['"€" (U+20AC) counts twice each time, 2 times here.']],
])('a GSM-7 text: what counts', (text, double) => {
	expect(explain(text)).toEqual([
		'One segment fits 160 characters; in a longer text, each fits 153.',
		...double,
	]);
});

test.each([
	['Olá, João', '"á" (U+00E1) at position 3'],
	['It’s', '"’" (U+2019) at position 3'],
	['R$\u00a010', 'a non-standard space (U+00A0) at position 3'],
	['a\tb', 'a tab (U+0009) at position 2'],
	['a\u200bb', 'an invisible character (U+200B) at position 2'],
	['cafe\u0301', 'a combining mark (U+0301) at position 5'],
	['“Olá” 😀', '"😀" (U+1F600) at position 7'], // the only one that no option replaces
	['“é” ж', '"ж" (U+0436) at position 5'],
	['привет', '"п" (U+043F) at position 1'],
])('what makes %j UCS-2: %s', (text, which) => {
	expect(explain(text)[0]).toBe(
		`Because of ${which}, one segment fits 70 characters instead of 160; in a longer text, each fits 67 instead of 153.`,
	);
});

const padded = 'a'.repeat(100);

test.each([
	['“', "With 'Plain Characters' turned on, this text takes 1 segment."],
	['\ufeff', "With 'Plain Characters' turned on, this text takes 1 segment."],
	['á', "With 'Remove Accents' turned on, this text takes 1 segment."],
	[`${long} á`, "With 'Remove Accents' turned on, this text takes 2 segments."],
	['e\u0301', "With 'Plain Characters' turned on, this text takes 1 segment."],
	['“á”', "With 'Plain Characters' and 'Remove Accents' turned on, this text takes 1 segment."],
	['😀', 'Without it, this text takes 1 segment.'],
	['👨\u200d👩\u200d👧', 'Without it and the others like it, this text takes 1 segment.'],
	['😀á', "Without it and with 'Remove Accents' turned on, this text takes 1 segment."],
	['ж“'],
])('how a text with %j gets shorter: %s', (text, ...advice) => {
	expect(explain(padded + text).slice(1)).toEqual(advice);
});

test('texts in ten languages: with the options that it names, a text takes as few segments as it says', () => {
	const ways: Array<[string, (text: string) => string]> = [
		['', (text) => text],
		["'Plain Characters'", plainCharacters],
		["'Remove Accents'", removeAccents],
		["'Plain Characters' and 'Remove Accents'", (text) => plainCharacters(removeAccents(text))],
	];
	const said = /^With (.+) turned on, this text takes (\d+) segments?\.$/;
	fc.assert(
		fc.property(texts, (text) => {
			const [, advice = ''] = explain(text);
			const [, options = '', count = measureSms(text).segments] = said.exec(advice) ?? [];
			const segments = ways.map(([name, way]) => [name, measureSms(way(text)).segments] as const);
			expect(segments).toContainEqual([options, Number(count)]);
			if (advice.startsWith('Without')) return; // fewer than any option makes
			expect(Math.min(...segments.map(([, each]) => each))).toBe(Number(count));
		}),
		runs,
	);
});
