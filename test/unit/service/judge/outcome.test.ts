import { judgeAnswer } from '../../../../nodes/service/judge/answer';
import type { Expected } from '../../../../nodes/service/request';
import { serviceTexts } from '../../../../nodes/service/outcome';

/** The kind of the outcome and of its reason: `refused now` for what may pass later. */
function judge(statusCode: number, body: unknown, headers = {}, expected: Expected = 'sent') {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const outcome = judgeAnswer({ statusCode, headers, body: text }, expected, String);
	if (outcome.kind === 'accepted') return 'accepted';
	const now = outcome.kind === 'refused' && outcome.forNow ? ' now' : '';
	return `${outcome.kind}${now}: ${outcome.reason.kind}`;
}

const no = (message: string) => ({ success: false, message });
const refusal = no('Sem saldo.');
const validation = { detail: [{ loc: ['body', 'to'], msg: 'field required', type: 'missing' }] };

const media = { success: true, message: 'ok', messageId: '1', status: 'send' };
const sms = [{ success: true, message: 'ok', messageId: '1', status: 'pending' }];
const audio = { status: 200, statusmessage: 'pending', message_id: '1', taxa: 0.1 };

const busy = 'refused now: tooManyRequests';
const away = 'refused now: unavailable';
const fault = 'unknown: serverFault';
const unusable = 'unknown: unusable';
const redirect = 'refused: redirect';
const rejected = 'refused: rejected';
const invalid = 'refused: validation';
const both = 'unknown: ambiguous';

const statuses = {
	ok: [200, 201, 202],
	'3xx': [301, 302, 307, 308],
	303: [303],
	'no redirect': [300, 304, 305],
	'4xx': [400, 401, 403, 404, 407, 409, 413, 421, 422, 425],
	proxy: [408, 499],
	429: [429],
	'5xx': [500, 502, 504, 520],
	503: [503],
};

type Row = Record<keyof typeof statuses, string>;

/** What becomes of a body that says nothing, where its status decides. */
const byStatus: Omit<Row, 'ok'> = {
	'3xx': redirect,
	303: 'unknown: redirect',
	'no redirect': unusable,
	'4xx': rejected,
	proxy: fault,
	429: busy,
	'5xx': fault,
	503: 'unknown: unavailable', // a proxy's: it may have passed the request on
};

const always = (outcome: string): Row =>
	Object.fromEntries(Object.keys(statuses).map((group) => [group, outcome])) as Row;

const refusals = Object.values(serviceTexts).filter((text) => text !== serviceTexts.internalError);

type Entry = [name: string, body: unknown, outcomes: Row];

/** Design §5: what becomes of a send, by body and status. */
const table: Entry[] = [
	...[media, sms, audio].map((body): Entry => [
		JSON.stringify(body),
		body,
		{ ...always(both), ok: 'accepted' },
	]),
	...refusals.map((text): Entry => [text, no(text), { ...always(rejected), 429: busy, 503: away }]),
	[serviceTexts.internalError, no(serviceTexts.internalError), always(fault)],
	[
		'an unknown refusal',
		refusal,
		{ ...byStatus, ok: rejected, 'no redirect': rejected, 503: away },
	],
	['a wordless no', { success: false }, { ...byStatus, ok: rejected, 'no redirect': rejected }],
	[
		'a validation body',
		validation,
		{ ...byStatus, ok: invalid, 'no redirect': invalid, '4xx': invalid, 503: away },
	],
	// A page, a body that was cut short, an empty one, and JSON of another kind or a proxy's.
	...[
		'<html><h1>Hi</h1></html>',
		'{"success": tr',
		'',
		[1, 'two'],
		{ message: 'no healthy upstream' },
	].map((body): Entry => [JSON.stringify(body), body, { ...byStatus, ok: unusable }]),
];

test.each(table)('%s', (_, body, outcomes) => {
	for (const [group, codes] of Object.entries(statuses)) {
		const outcome = outcomes[group as keyof Row];
		for (const code of codes) expect([code, judge(code, body)]).toEqual([code, outcome]);
	}
});

test.each<[number, unknown, object, string]>([
	[503, '<html>Busy</html>', { 'retry-after': '3' }, away],
	[503, '', { 'retry-after': '0' }, away],
	[503, '', { 'retry-after': 'soon' }, 'unknown: unavailable'],
	[503, media, { 'retry-after': '3' }, both],
	[101, '', {}, unusable],
	[299, '', {}, unusable],
	[399, '', {}, unusable],
	[199, media, {}, unusable],
	[299, media, {}, 'accepted'],
	[300, media, {}, both],
	// The audio answer's own code counts like a status.
	[200, { status: 429 }, {}, busy],
	[200, { status: 500 }, {}, fault],
	[200, { status: 503 }, {}, 'unknown: unavailable'],
	[200, { status: 599 }, {}, fault],
	[200, { status: 600 }, {}, unusable],
	[200, { status: 400 }, {}, rejected],
	[500, { status: 429 }, {}, fault],
	[399, { status: 500 }, {}, fault],
	[400, { status: 500 }, {}, rejected],
	[200, { status: 399, message_id: '1' }, {}, 'accepted'],
	[200, { status: 400, message_id: '1' }, {}, both],
	[200, { status: 600, message_id: '1' }, {}, 'accepted'],
])('status %d with the body %j and the headers %j is %s', (status, body, headers, outcome) => {
	expect(judge(status, body, headers)).toBe(outcome);
});

const yes = { success: true, messageId: '1' };

/** What an answer with the status 200 says in several places at once, or only just. */
test.each<[unknown, string]>([
	[[{ ...yes, detail: [] }], 'accepted'],
	[{ ...yes, detail: 'queued' }, 'accepted'],
	[[yes, yes], 'accepted'],
	[[yes, {}], unusable],
	[[{}, yes], unusable],
	[[yes, 'x'], unusable],
	[[yes, refusal], both],
	[[refusal, yes], both],
	[[{}, refusal], rejected],
	[[refusal, refusal], rejected],
	[[yes, no(serviceTexts.internalError)], fault],
	[[refusal, no(serviceTexts.internalError)], fault],
	[[yes, { status: 400 }], both],
	[{ ...yes, ...validation }, both],
	...refusals.map((message): [unknown, string] => [{ ...yes, message }, both]),
	[{ ...yes, message: serviceTexts.internalError }, fault],
	[{ messageId: '1', ...validation }, both],
	[{ detail: [] }, unusable],
	[{ detail: ['bad'] }, invalid],
	[{ detail: [7] }, invalid],
	[{ ...refusal, messageId: '1' }, both],
	[{ ...refusal, messageId: '' }, rejected],
	[{ success: 'false', messageId: '1' }, both],
	[{ success: ' False ' }, rejected],
	[{ success: 0 }, rejected],
	[{ success: 'true' }, 'accepted'],
	[{ success: 1 }, 'accepted'],
	[{ success: 'sim' }, unusable],
	[{ success: null }, unusable],
	[{ success: { toString: 1 } }, unusable],
	[{ success: true }, 'accepted'],
	[{ messageId: '', message_id: '1' }, 'accepted'],
	[{ messageId: '', status: 'error' }, unusable],
	[{ status: '400' }, rejected],
	[{ status: '429' }, busy],
	[{ status: '400', message_id: '1' }, both],
	[{ ...refusal, messageId: 0 }, rejected],
	[{ messageId: null }, unusable],
	[{}, unusable],
	[[], unusable],
])('%j is %s', (body, outcome) => {
	expect(judge(200, body)).toBe(outcome);
});

test.each<[Expected, unknown, string]>([
	['list', [], 'accepted'],
	['list', [{ id: '1' }], 'accepted'],
	['list', {}, unusable],
	['object', [], unusable],
	['object', {}, 'accepted'],
	['notShown', '', 'accepted'],
	['notShown', [], 'accepted'],
	['notShown', {}, 'accepted'],
	['notShown', null, 'accepted'],
	['notShown', '<html></html>', unusable],
])('where the interface shows %s, %j is %s', (expected, body, outcome) => {
	expect(judge(200, body, {}, expected)).toBe(outcome);
});

/** A word of failure makes no refusal, as nobody documents it, but no acceptance either. */
const words = `
	fail failed FAILED failure falha falhou error Erro reject rejected REJECTED_NO_CREDIT rejeitado
	rejeitada refused recusada denied negado undelivered UNDELIVERABLE invalid inválido invalido blocked
	bloqueado cancelled canceled cancelado expired expirada unsent insufficient insuficiente not_sent
	not-sent não-enviado não_enviada SEND_ERROR`;
const failures = [
	...words.trim().split(/\s+/),
	'saldo insuficiente',
	'não enviado',
	'failed: no credit',
];
test.each([...failures, ' 500 ', '400', 404, 599])('a yes with the status %j is both', (word) => {
	for (const name of ['status', 'statusmessage']) {
		for (const body of [
			{ messageId: '1', [name]: word },
			{ ...yes, [name]: word },
			{ ...audio, [name]: word },
			[yes, { ...yes, [name]: word }],
		]) {
			expect([body, judge(200, body)]).toEqual([body, both]);
		}
	}
	expect(judge(200, { status: word })).not.toBe('accepted');
	expect(judge(503, { messageId: '1', status: word })).toBe(both);
});

const usual = `
	sent send pending queued PENDING_ACCEPTED accepted enviado na-fila ok delivered no_error no-error
	sem_erro without_failure transferred unfailing erroneous 0 200 399 600 4040`;
const statuses200 = [...usual.trim().split(/\s+/), 'sem erro', 'no error'];
test.each(statuses200)('a yes with the status %s is accepted', (status) => {
	const values = [status, Number(status)].filter((value) => !Number.isNaN(value));
	for (const value of values) {
		for (const name of ['status', 'statusmessage']) {
			expect(judge(200, { ...yes, [name]: value })).toBe('accepted');
			expect(judge(200, [{ messageId: '1', [name]: value }])).toBe('accepted');
		}
	}
});

test.each([0, '0', ' 0 ', '00', -1, '-1', -0.5])('%j is no ID', (id) => {
	for (const name of ['messageId', 'message_id']) {
		expect(judge(200, [{ [name]: id }])).toBe(unusable);
		expect(judge(200, [{ success: true, [name]: id }])).toBe('accepted');
	}
});

/** Each row is beside an ID without `success`, and beside `success: true`. */
test.each<[object, string, string]>([
	[{ error: 'No credit' }, both, 'accepted'],
	[{ error: 'Nenhum erro' }, both, 'accepted'],
	[{ error: true }, both, 'accepted'],
	[{ error: { code: 0 } }, both, 'accepted'],
	[{ errors: ['x'] }, both, 'accepted'],
	[{ ok: false }, both, 'accepted'],
	[{ ok: 0 }, both, 'accepted'],
	[{ error: null, errors: [], ok: true }, 'accepted', 'accepted'],
	[{ error: '', errors: {} }, 'accepted', 'accepted'],
	[{ error: ' ', errors: false }, 'accepted', 'accepted'],
	[{ error: 0, ok: null }, 'accepted', 'accepted'],
	[{ hasError: 'não', failed: '0 of 1', errorCode: 7 }, 'accepted', 'accepted'],
	[{ data: { success: false, status: 'failed' } }, 'accepted', 'accepted'],
	[{ status: { name: 'failed', code: 500 } }, 'accepted', 'accepted'],
	[{ status: false, state: 'failed', messageStatus: 'error' }, 'accepted', 'accepted'],
	[{ text: 'Your payment failed', message: 'Not rejected', expiresAt: 1 }, 'accepted', 'accepted'],
	[{ statusCallback: 'https://example.com/error', taxa: 404 }, 'accepted', 'accepted'],
])('an ID with %j is %s, a success %s', (more, withId, withSuccess) => {
	expect(judge(200, { messageId: '1', ...more })).toBe(withId);
	expect(judge(200, { success: true, messageId: '1', ...more })).toBe(withSuccess);
	// The audio answer says yes by its code.
	expect(judge(200, { ...audio, ...more, status: 200 })).toBe(withSuccess);
});

test.each<[unknown, string]>([
	[{ status: 200, statusmessage: 'pending' }, 'accepted'],
	[{ status: '201', statusmessage: 'pending' }, 'accepted'],
	[{ status: 200, statusmessage: 'rejected' }, both],
	[{ status: 200 }, unusable],
	[{ status: 0, statusmessage: 'pending' }, unusable],
	[{ status: 600, statusmessage: 'pending' }, unusable],
	[{ status: 'pending', statusmessage: 'pending' }, unusable],
])('the audio answer %j is %s', (body, outcome) => {
	expect(judge(200, body)).toBe(outcome);
});

test('what only reads is not judged by the words of a send', () => {
	const body = { success: true, status: 'failed', campaigns: [{ messages: [{ messageId: 0 }] }] };
	expect(judge(200, body, {}, 'object')).toBe('accepted');
	expect(judge(200, body, {}, 'notShown')).toBe('accepted');
});

test('a long status is read in a moment', () => {
	for (const part of ['_', 'no ', 'not ', 'negad?', 'error', 'não_']) {
		const status = part.repeat(1_000_000 / part.length);
		expect(judge(200, { ...yes, status })).toBe('accepted');
	}
});
