import fc from 'fast-check';
import { excerpt, quote, quoteValue } from '../../../nodes/text/quote';
import { parseExactly, visibleIn } from '../../../nodes/text/values';
import {
	asSentence,
	firstThreeSentences,
	sentencesOf,
	withHint,
} from '../../../nodes/text/sentences';

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

test.each([
	['two\r\n\tlines \u2028 of\u0000text ', 'two lines of text'],
	['read \u202eliame\u202c', 'read liame'],
	[`${'x'.repeat(199)}👍`, `${'x'.repeat(199)}…`],
	['', ''],
])('%j is quoted as the one line %j', (text, line) => {
	expect(quote(text, asItIs)).toBe(line);
});

test.each([
	['https://a.example/b.jpg?X-Sig=1&x=2', 'https://a.example/b.jpg?…'],
	['a.example/b.jpg?X-Sig=1 https://c.example', 'a.example/b.jpg?…'],
	['https://a.example#X-Sig=1', 'https://a.example#…'],
	['https://a.example/?', 'https://a.example/?'],
	['why? a/b', 'why? a/b'],
	['secret/ok?secret', '•/ok?…'],
	// Nor is the password of an address shown.
	['https://ana:pass@example.com/a.jpg', 'https://…@example.com/a.jpg'],
	['//ana:pass@example.com/a.jpg?key=1', '//…@example.com/a.jpg?…'],
	['https://ana:p@ss@example.com', 'https://…@example.com'],
	['https://example.com/@ana', 'https://example.com/@ana'],
	['ana@example.com', 'ana@example.com'],
])('of the value %j an error shows %j', (value, shown) => {
	expect(quoteValue(value, (text) => text.replaceAll('secret', '•'))).toBe(shown);
});

test('a value is cut once the secrets are out', () => {
	const value = `${'x'.repeat(198)}secret`;
	expect(quoteValue(value, (text) => text.replace('secret', '•••'))).toBe(`${'x'.repeat(198)}••…`);
	expect(quoteValue('/'.repeat(5_000_000), asItIs)).toHaveLength(201);
});

test.each([
	['The key was rejected', 'The key was rejected.'],
	['Publish it again.', 'Publish it again.'],
	['It says: "Sem saldo."', 'It says: "Sem saldo."'],
	['It says: "Sem saldo"', 'It says: "Sem saldo".'],
	['Who? (HTTP 401)', 'Who? (HTTP 401).'],
	['Cut short…', 'Cut short…'],
])('%s → %s', (text, sentence) => {
	expect(asSentence(text)).toBe(sentence);
});

test('an error and its hint are one text, also where there is no hint', () => {
	expect(withHint({ message: 'Not sent', description: 'Check it.' })).toBe('Not sent. Check it.');
	expect(withHint({ message: 'Not sent' })).toBe('Not sent.');
	expect(withHint({ message: 'Not sent', description: null })).toBe('Not sent.');
});

test.each(['a', '0', '.', 'é', 'e\u0301', '是', 'نعم', '👍🏽', '👨\u200d👩', '☎\ufe0f'])(
	'%j is seen',
	(text) => {
		expect(visibleIn(text)).not.toBe('');
	},
);

test.each([
	...['', ' ', '\t', '\u200b', '\u00ad', '\u2800'],
	...['\u3164', '\uffa0', '\u115f', '\ufe0f', '\u{e0041}'],
])('%j is not', (text) => {
	expect(visibleIn(text)).toBe('');
});

test.each<[string, number]>([
	['', 0],
	['Check it', 1],
	['Check it. Wait! Why?', 3],
	['Enter one, e.g. Brazil, i.e. +55. n8n shows it.', 2],
	['It refused it: "No. Try later." Check \'Base URL\'.', 2],
	["'To' is too short: 'Ana. Maria'", 1],
	["Write {{ $json.name ?? 'Dr. No' }}. It's n8n's.", 2],
	['+5511900200001 may have got it. 9 of 20 were sent.', 2],
	['Version 1.5 of api.example.com takes 16 MB', 1],
])('%j has %i sentences', (text, count) => {
	const sentences = sentencesOf(text);
	expect(sentences).toHaveLength(count);
	expect(sentences.join(' ')).toBe(text);
});

test('an error has the first three sentences, each once', () => {
	expect(firstThreeSentences('One. Two.', false, undefined, 'Two.', 'Three. Four.')).toBe(
		'One. Two. Three.',
	);
});

describe('exact JSON', () => {
	const parse = (text: string) => parseExactly(text);

	test.each([
		['9007199254740991', 9007199254740991],
		['9007199254740992', '9007199254740992'],
		['-9007199254740993', '-9007199254740993'],
		['{"id" : 12345678901234567890 }', { id: '12345678901234567890' }],
		['{"a":"\\"12345678901234567890","b":1}', { a: '"12345678901234567890', b: 1 }],
		['{"a\\\\":12345678901234567890}', { 'a\\': '12345678901234567890' }],
		['12345678901234567890.5', 12345678901234567890.5],
		['0.12345678901234567890', 0.1234567890123456789],
		['1234567890123456789e3', 1234567890123456789e3],
		['1E-12345678901234567890', 0],
	])('%s', (text, value) => {
		expect(parse(text)).toEqual(value);
	});

	test.each([
		...['{12345678901234567890:1}', '00012345678901234567890', '12345678901234567890 1'],
		...['--12345678901234567890', '12345678901234567890-', '"12345678901234567890'],
		...['{"a":"\n12345678901234567890"}', "'12345678901234567890'", ''],
	])('%j is not JSON', (text) => {
		expect(parse(text)).toBeUndefined();
	});

	/** Placeholder for an integer; no other string of the tests contains it. */
	const mark = '§';

	/** What JSON.parse makes of it, but for the integers that it rounds. */
	const parseMarked = (text: string, integer: bigint) =>
		JSON.parse(text, (_, part: unknown) => {
			const number = Number(integer);
			if (part === mark) return Number.isSafeInteger(number) ? number : String(integer);
			// A large double is written as an integer, up to 21 digits.
			const isLarge = Number.isInteger(part) && !Number.isSafeInteger(part);
			return isLarge && Math.abs(part as number) < 1e21 ? String(part) : part;
		}) as unknown;

	/** Texts that look like numbers, quotations and escapes. */
	const text = fc
		.array(fc.constantFrom('"', '\\', '\\"', '12345678901234567890', ' ', ':', ',', '\n', 'é', '-'))
		.map((parts) => parts.join(''));

	test('any JSON is read as JSON.parse does, but for the integers that it rounds', () => {
		const record = fc.dictionary(
			text,
			fc.oneof(text, fc.double({ noNaN: true }), fc.constant(mark)),
		);
		const value = fc.array(fc.oneof(record, fc.jsonValue({ stringUnit: 'binary' })));
		const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
		fc.assert(
			fc.property(value, integer, fc.nat(3), (made, large, indent) => {
				const written = JSON.stringify(made, null, indent);
				const numbered = written.replaceAll(`"${mark}"`, String(large));
				expect(parse(numbered)).toEqual(parseMarked(written, large));
			}),
			{ numRuns: 1_000 },
		);
	});

	test.each(['\\"', '1', '"', '{', '12345678901234567890,'])(
		'two million characters of %j are no work, and do not fill the stack',
		(part) => {
			const inside = JSON.stringify(part.repeat(2_000_000 / part.length));
			expect(parse(`[${inside},12345678901234567890]`)).toHaveLength(2);
		},
	);
});
