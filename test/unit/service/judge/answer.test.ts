import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { firstObject, serviceTexts } from '../../../../nodes/service/outcome';
import { objectList } from '../../../../nodes/text/values';
import { messageIdOf } from '../../../../nodes/service/endpoints/messages';
import { judgeAnswer, parseRetryAfter } from '../../../../nodes/service/judge/answer';
import type { Expected } from '../../../../nodes/service/request';
import { answer } from '../../support/answers';
import { runs } from '../../support/runs';

const judge = (statusCode: number, body: unknown, expected: Expected = 'sent', headers = {}) =>
	judgeAnswer(
		{ statusCode, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
		expected,
		(text) => text,
	);

test.each([
	[[{ loc: ['body', 'message', 'to'], msg: 'field required' }], 'message.to: field required'],
	[[{ loc: ['body'], msg: 'invalid' }, { msg: 'also' }], 'invalid; also'],
	[['too short'], 'too short'],
	[[{ loc: ['body', 0, 'to'], msg: 'missing' }], '0.to: missing'],
	[[{ loc: ['to'] }], 'to: "not accepted"'],
	[[{ loc: ['to', null, {}], msg: 'missing' }], 'to: missing'],
	[[{ loc: ['to'], msg: { least: 8 } }], 'to: {"least":8}'],
])('the validation body %j is shown as %s', (detail, text) => {
	const reason = { kind: 'validation', text, status: 422 };
	expect(judge(422, { detail })).toMatchObject({ reason });
});

test.each([[7], [{}], ['']])('a message %j is none: the next text is shown', (message) => {
	expect(judge(400, { message, error: 'No credit' })).toMatchObject({
		reason: { text: 'No credit' },
	});
});

test.each([
	['https://other.example/login?key=secret#x', 'https://other.example/login'],
	['https://user:pass@other.example/', 'https://other.example/'],
	['/login?key=secret', undefined],
	['//user:pass@other.example/a@b?key=secret', undefined],
	[`https://other.example/${'x'.repeat(300)}`, `https://other.example/${'x'.repeat(178)}…`],
	[undefined, undefined],
	['https://other.example/***/x', 'https://other.example/***/x'],
])('a redirect to %s is shown as %s', (location, shown) => {
	expect(judge(302, '', 'object', { location })).toMatchObject({ reason: { location: shown } });
});

test('a body that n8n has parsed already counts as JSON', () => {
	const body = { success: true, messageId: '1' };
	const answered = { statusCode: 200, headers: {}, body };
	expect(judgeAnswer(answered, 'sent', String)).toEqual({ kind: 'accepted', body });
});

test('any answer to any request has an outcome', () => {
	const expected = fc.constantFrom<Expected>('object', 'sent', 'list', 'notShown');
	fc.assert(
		fc.property(answer, expected, (any, kind) => {
			const outcome = judgeAnswer(any, kind, String);
			expect(['accepted', 'refused', 'unknown']).toContain(outcome.kind);
			if (outcome.kind !== 'accepted') return;
			expect(any.statusCode).toBeLessThan(300);
			expect(firstObject(outcome.body)).toEqual(expect.any(Object));
			expect(objectList(outcome.body).every((entry) => typeof entry === 'object')).toBe(true);
		}),
		runs,
	);
});

test.each<[unknown, unknown?]>([
	[{ state: 'open' }],
	[[{ state: 'open' }]],
	[{}],
	[7],
	[0],
	[true],
	[[1, 'two']],
	['OK'],
	['"Removida."', 'Removida.'],
	[' a < b\n', 'a < b'],
	['null', undefined],
	['""', undefined],
])('where the interface shows no answer, %j comes out as it came', (body, read = body) => {
	const expected = ['null', '""'].includes(body as string) ? undefined : read;
	expect(judge(200, body, 'notShown')).toEqual({ kind: 'accepted', body: expected });
});

test.each([
	'<html></html>',
	'Please <b>log in</b>',
	'"<p>Log in</p>"',
	'{"success": tr',
	'[',
	'false',
])('where the interface shows no answer, %s is none', (body) => {
	expect(judge(200, body, 'notShown')).toMatchObject({
		kind: 'unknown',
		reason: { kind: 'unusable' },
	});
});

test.each(Object.values(serviceTexts))('the text %s is no yes, as plain text either', (text) => {
	expect(judge(200, text, 'notShown')).toMatchObject({ kind: 'unknown' });
	expect(judge(200, text, 'sent')).toMatchObject({ kind: 'unknown' });
});

const detail = [{ loc: ['body', 'to'], msg: 'too short', type: 'value_error', input: 'x' }];
const long = 'á'.repeat(20_000);
const short = `${long.slice(0, 5_000)}…`;
test.each<[number, unknown, unknown]>([
	[400, { success: false, message: ' Sem\nsaldo. ' }, ' Sem\nsaldo. '],
	[200, { success: false, message: 'Sem saldo.' }, 'Sem saldo.'],
	[500, { success: false, message: serviceTexts.internalError }, serviceTexts.internalError],
	[429, { detail: 'Too many' }, 'Too many'],
	[400, { success: false, message: long }, short],
	[422, { detail }, [{ loc: ['body', 'to'], msg: 'too short', type: 'value_error' }]],
	[422, { detail: ['too short', { loc: 'to', msg: 7 }] }, [{ msg: 'too short' }, { msg: 7 }]],
	[422, { detail: Array(500).fill({ msg: 'x' }) }, Array(100).fill({ msg: 'x' })],
	[422, { detail: [{ loc: [{ a: 1 }, 0], msg: [long] }] }, [{ loc: [{ a: 1 }, 0], msg: [short] }]],
	[403, '<h1>Blocked</h1>', undefined],
	[400, { code: 7 }, undefined],
])('status %d: the own text of the service is kept as it is', (status, body, answer) => {
	expect(judge(status, body)).toMatchObject({ reason: {} });
	expect((judge(status, body) as { reason: object }).reason).toHaveProperty('answer', answer);
});

test('a secret is in no part of what the service says', () => {
	const said = { detail: [{ loc: ['KEY', { KEY: 1 }], msg: ['KEY'], type: 'KEY', KEY: 1 }] };
	const hide = (text: string) => text.replaceAll('KEY', '***');
	const answered = { statusCode: 422, headers: {}, body: JSON.stringify(said) };
	expect(JSON.stringify(judgeAnswer(answered, 'sent', hide))).not.toContain('KEY');
});

test.each([
	[{ messageId: ' m-1' }, ' m-1'],
	[{ messageId: '', message_id: 7 }, '7'],
	[[{ messageId: ' ', message_id: 'm-2' }], 'm-2'],
	[{ messageId: ' ' }, undefined],
	[{ messageId: null, message_id: {} }, undefined],
	[undefined, undefined],
])('the message id of %j is %j', (body, id) => {
	expect(messageIdOf(body as never)).toBe(id);
});

test('the text is that of the refusal, anywhere in the list', () => {
	const [no, other] = ['Sem saldo.', 'Outra.'].map((message) => ({ success: false, message }));
	expect(judge(200, [{ message: 'ok' }, no, other])).toMatchObject({
		reason: { text: 'Sem saldo.' },
	});
});

const now = Date.UTC(2030, 0, 1);

test.each([
	['0', 0],
	['7', 7_000],
	[' 1.5 ', 1_500],
	[2, 2_000],
	['12.75', 12_750],
	['\t3', 3_000],
	['7 soon', undefined],
	['about 7', undefined],
	['7.', undefined],
	['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
	['Mon, 31 Dec 2029 23:59:00 GMT', 0],
	['soon', undefined],
	['', undefined],
	[['1'], undefined],
	[undefined, undefined],
	['9'.repeat(400), undefined],
])('Retry-After %j is %j ms', (value, ms) => {
	expect(parseRetryAfter({ 'retry-after': value }, now)).toBe(ms);
});

test('a date in Retry-After is read by the clock of the answer, if it shows one', () => {
	const ahead = (seconds: number) => new Date(now + 10_800_000 + seconds * 1_000).toUTCString();
	const dated = { 'retry-after': ahead(5), date: ahead(0) };
	expect(parseRetryAfter(dated, now)).toBe(5_000);
	expect(parseRetryAfter({ ...dated, date: 'today' }, now)).toBe(10_805_000);
});

const date = new Date(now).toUTCString();
const at = now / 1000;
const inSeven = { 'ratelimit-reset': '7' };

test.each<[string, number, IDataObject, number | undefined]>([
	['seconds', 429, inSeven, 7_000],
	['seconds, under its older name', 429, { 'x-ratelimit-reset': '7' }, 7_000],
	['a time', 429, { 'x-ratelimit-reset': String(at + 9), date }, 9_000],
	['a time in milliseconds', 429, { 'x-ratelimit-reset': String(now + 9_000), date }, 9_000],
	['a time that has passed', 429, { 'x-ratelimit-reset': String(at - 9), date }, 0],
	['of a limit that is used up', 429, { ...inSeven, 'ratelimit-remaining': '0' }, 7_000],
	['of a limit that is not', 429, { ...inSeven, 'ratelimit-remaining': '5' }, undefined],
	['not named, but Retry-After', 503, { 'retry-after': '3' }, 3_000],
	['beside Retry-After', 429, { ...inSeven, 'retry-after': '3' }, 3_000],
	['in other words', 429, { 'ratelimit-reset': 'soon' }, undefined],
])('the reset of a limit, %s, is the pause that %d asks for: %j', (_, statusCode, said, ms) => {
	const outcome = judgeAnswer({ statusCode, headers: said, body: '' }, 'sent', String);
	expect(outcome).toEqual(expect.objectContaining({ kind: 'refused', retryAfterMs: ms }));
});

test('the reset of a limit does not tell a 503 of the service from that of a proxy', () => {
	const answer = { statusCode: 503, headers: { 'ratelimit-reset': '7' }, body: '' };
	expect(judgeAnswer(answer, 'sent', String).kind).toBe('unknown');
});
