import fc from 'fast-check';

import { firstObject, objectList } from '../../../../nodes/gateway/answerBody';
import { messageIdOf } from '../../../../nodes/gateway/endpoints/messages';
import { judgeAnswer } from '../../../../nodes/gateway/judge/answer';
import type { Expected } from '../../../../nodes/gateway/request';
import { answer } from '../../support/answers';

const judge = (statusCode: number, body: unknown, expected: Expected = 'sent', headers = {}) =>
	judgeAnswer(
		{ statusCode, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
		expected,
		(text) => text,
	);

/** The kind of the outcome and of its reason: `refused now` for what may pass later. */
function short(outcome: ReturnType<typeof judge>): string {
	if (outcome.kind === 'accepted') return 'accepted';
	const now = outcome.kind === 'refused' && outcome.forNow ? ' now' : '';
	return `${outcome.kind}${now}: ${outcome.reason.kind}`;
}

const media = { success: true, message: 'ok', messageId: '1', status: 'send' };

test.each([
	[200, 429, 'refused now: tooManyRequests'],
	[200, 500, 'unknown: serverFault'],
	[500, 429, 'unknown: serverFault'],
	[504, 400, 'unknown: serverFault'],
	[399, 500, 'unknown: serverFault'],
	[400, 500, 'refused: rejected'],
	[200, 599, 'unknown: serverFault'],
])('HTTP %d with the status %d in its body is %s', (statusCode, status, outcome) => {
	expect(short(judge(statusCode, { status }))).toBe(outcome);
});

test.each<[Expected, unknown, string]>([
	['list', [], 'accepted'],
	['list', [{ id: '1' }], 'accepted'],
	['list', {}, 'unknown: unusable'],
	['object', [], 'unknown: unusable'],
	['object', {}, 'accepted'],
	['sent', { success: true }, 'accepted'],
	['sent', { messageId: '1' }, 'accepted'],
	['sent', { message_id: 7, statusmessage: 'pending' }, 'accepted'],
	['sent', [{ messageId: '1' }], 'accepted'],
	['sent', {}, 'unknown: unusable'],
	['sent', { status: 200 }, 'unknown: unusable'],
	['sent', { messageId: null }, 'unknown: unusable'],
	['sent', { messageId: '', status: 'error' }, 'unknown: unusable'],
	['sent', { messageId: '', message_id: '1' }, 'accepted'],
	['sent', [], 'unknown: unusable'],
	['notShown', '', 'accepted'],
	['notShown', [], 'accepted'],
	['notShown', {}, 'accepted'],
	['notShown', null, 'accepted'],
	['notShown', '<html></html>', 'unknown: notJson'],
])('where the interface shows %s, %j with status 200 is %s', (expected, body, outcome) => {
	expect(short(judge(200, body, expected))).toBe(outcome);
});

test.each([
	[400, 'refused: rejected', 'unknown: contradictory'],
	[429, 'refused now: tooManyRequests', 'unknown: contradictory'],
	[500, 'unknown: serverFault', 'unknown: contradictory'],
	[503, 'unknown: unavailable', 'unknown: contradictory'],
	[200, 'unknown: unusable', 'accepted'],
	[600, 'unknown: unusable', 'accepted'],
])("the audio answer's own code %d counts like a status", (status, outcome, ofMessage) => {
	expect(short(judge(200, { status, statusmessage: 'x' }))).toBe(outcome);
	expect(short(judge(200, { status, statusmessage: 'x', message_id: '1' }))).toBe(ofMessage);
});

test.each([
	[[{ loc: ['body', 'message', 'to'], msg: 'field required' }], 'message.to: field required'],
	[[{ loc: ['body'], msg: 'invalid' }, { msg: 'also' }], 'invalid; also'],
	[['too short'], 'too short'],
	[[{ loc: ['body', 0, 'to'], msg: 'missing' }], '0.to: missing'],
	[[{ loc: ['to'] }], 'to: "not accepted"'],
	[[{ loc: ['to'], msg: { least: 8 } }], 'to: {"least":8}'],
])('the validation body %j is told as %s', (detail, text) => {
	expect(judge(422, { detail })).toMatchObject({
		reason: { kind: 'validation', text, status: 422 },
	});
});

test.each([
	['https://other.example/login?key=secret#x', 'https://other.example/login'],
	['https://user:pass@other.example/', 'https://other.example/'],
	['/login?key=secret', '/login'],
	['//user:pass@other.example/a@b?key=secret', '//other.example/a@b'],
	[`/${'x'.repeat(300)}`, `/${'x'.repeat(199)}…`],
	[`https://other.example/${'x'.repeat(300)}`, `https://other.example/${'x'.repeat(178)}…`],
	[undefined, undefined],
	['https://other.example/•••/x', 'https://other.example/•••/x'],
])('a redirect to %s is told as %s', (location, told) => {
	expect(judge(302, '', 'object', { location })).toMatchObject({ reason: { location: told } });
});

test('what a page says is told without markup, in one line', () => {
	const page = '<html>\n<h1>Bad   gateway</h1>\n\t<p>nginx</p></html>';
	expect(judge(502, page)).toMatchObject({
		reason: { text: undefined, page: 'Bad gateway nginx' },
	});
});

test('a body that n8n has parsed already counts as JSON', () => {
	const answered = { statusCode: 200, headers: {}, body: media };
	expect(judgeAnswer(answered, 'sent', String)).toEqual({ kind: 'accepted', body: media });
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
		{ numRuns: 1000 },
	);
});

test.each([
	[199, 'unknown: unusable'],
	[299, 'accepted'],
	[300, 'unknown: contradictory'],
])('a yes with HTTP %d is %s', (status, outcome) => {
	expect(short(judge(status, media))).toBe(outcome);
});

test.each([
	[299, 'unknown: empty'],
	[300, 'unknown: unusable'],
	[302, 'refused: redirect'],
	[303, 'unknown: redirect'],
	[304, 'unknown: unusable'],
	[308, 'refused: redirect'],
	[399, 'unknown: unusable'],
	[400, 'refused: rejected'],
	[499, 'unknown: serverFault'],
	[500, 'unknown: serverFault'],
])('nothing with HTTP %d is %s', (status, outcome) => {
	expect(short(judge(status, ''))).toBe(outcome);
});

test.each(['', ' ', '\n'])('the body %j is none', (body) => {
	expect(judge(200, body)).toEqual({
		kind: 'unknown',
		reason: { kind: 'empty', status: 200, text: undefined },
	});
	expect(judge(200, body, 'notShown')).toEqual({ kind: 'accepted', body: undefined });
});

test.each([[{ state: 'open' }], [[{ state: 'open' }]], [{}]])(
	'where the interface shows no answer, %j comes out as it came',
	(body) => {
		expect(judge(200, body, 'notShown')).toEqual({ kind: 'accepted', body });
		expect(judge(200, 7, 'notShown')).toEqual({ kind: 'accepted', body: undefined });
	},
);

test('of a list only its objects count', () => {
	expect(objectList([{ id: 1 }, null, 7, 'x', [{}]])).toEqual([{ id: 1 }]);
	expect(objectList({ 0: {} })).toEqual([]);
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
