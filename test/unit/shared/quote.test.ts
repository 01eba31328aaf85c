import { excerpt, quote } from '../../../nodes/shared/quote';

const asItIs = (text: string) => text;

test.each([
	['<html>\n<h1>Bad   gateway</h1>\n\t<p>nginx</p></html>', 'Bad gateway nginx'],
	['<p class="x\ny">Hi</p', 'Hi'],
	['1 < 2 and 3 > 2', '1 2'],
	['<<b>>', '< >'],
	['<br>', undefined],
	['', undefined],
	[{ a: 1 }, '{"a":1}'],
	[undefined, undefined],
])('of %j remains %j', (body, text) => {
	expect(excerpt(body, asItIs)).toBe(text);
});

test('a quotation has 200 characters at most, once the secrets are out', () => {
	expect(quote('x'.repeat(200), asItIs)).toBe('x'.repeat(200));
	expect(quote('x'.repeat(201), asItIs)).toBe(`${'x'.repeat(200)}…`);
	expect(quote('x'.repeat(201), (text) => text.replace('x', ''))).toBe('x'.repeat(200));
});

/** Jest's time limit is the clock: what takes steps for each pair of characters takes an hour. */
test.each(['<', '< ', '<a', ' ', '<a b="', '>', '<>', '\u2028', '<\n'])(
	'a body of ten million characters of %j is no work',
	(text) => {
		const body = text.repeat(Math.ceil(10_000_000 / text.length));
		expect((excerpt(body, asItIs) ?? '').length).toBeLessThanOrEqual(20_000);
	},
);
