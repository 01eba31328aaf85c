import { judgeAnswer } from '../../../../nodes/gateway/judge/answer';
import type { Expected } from '../../../../nodes/gateway/request';
import { serviceTexts } from '../../../../nodes/gateway/outcome';

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
const both = unusable;

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
	[{ ...refusal, messageId: 0 }, both],
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

/** A word says little: it makes no refusal, but no acceptance either. */
const words = `
	failed FAILED failure error Erro falhou rejected REJECTD rejeitado refused recusada denied
	undelivered UNDELIV expired cancelled canceled blocked invalid não-enviado not_sent SEND_ERROR
	sendFailed err false`;
test.each([...words.trim().split(/\s+/), 'failed: no credit', ' 500 ', 404, false])(
	'a yes with %j is both',
	(word) => {
		for (const name of ['status', 'statusmessage', 'messageStatus', 'delivery_status', 'state']) {
			for (const body of [
				{ messageId: '1', [name]: word },
				{ ...yes, data: { messages: [{ [name]: word }] } },
				{ message_id: '1', [name]: { code: 1, name: word } },
				[yes, { ...yes, [name]: word }],
			]) {
				expect([body, judge(200, body)]).toEqual([body, expect.stringMatching('^unknown')]);
			}
		}
		expect(judge(200, { status: word })).not.toBe('accepted');
		expect(judge(503, { messageId: '1', status: word })).toBe(both);
	},
);

const usual =
	'sent send pending queued PENDING_ACCEPTED accepted enviado na-fila ok delivered 200 0 no_error transferred';
test.each(usual.split(' '))('a yes with the status %s is accepted', (status) => {
	const values = [status, Number(status)].filter((value) => !Number.isNaN(value));
	for (const value of values) {
		for (const name of ['status', 'statusmessage', 'statusCode']) {
			expect(judge(200, { ...yes, [name]: value })).toBe('accepted');
			expect(judge(200, [{ messageId: '1', [name]: { name: value } }])).toBe('accepted');
		}
	}
});

test.each([0, '0', ' 0 ', '00', -1, '-1', '00000000-0000-0000-0000-000000000000', 'null', 'error'])(
	'the ID %j is none: with a yes it is in doubt, and it is no yes',
	(id) => {
		for (const name of ['messageId', 'message_id']) {
			for (const body of [{ success: true, [name]: id }, { [name]: id }, { ...yes, [name]: id }]) {
				expect(judge(200, [body])).toBe(both);
			}
			expect(judge(200, { ...yes, data: { [name]: id } })).toBe(both);
		}
	},
);

test.each<[object, string]>([
	[{ data: { success: false } }, both],
	[{ result: { success: 'false' } }, both],
	[{ success: 'error' }, both],
	[{ success: 'não' }, both],
	[{ ok: false }, both],
	[{ ok: 0 }, both],
	[{ status: 4040 }, 'accepted'],
	[{ error: 'No credit' }, both],
	[{ error: true }, both],
	[{ errors: ['x'] }, both],
	[{ errorCode: 7 }, both],
	[{ error_code: '102' }, both],
	[{ failed: 1 }, both],
	[{ error: null, errors: [], errorCode: 0, error_message: '', failed: false }, 'accepted'],
	[{ error: { groupId: 0, name: 'NO_ERROR' }, erros: {}, errorMessage: 'Sem erro' }, 'accepted'],
	[{ erro: { codigo: '000', descricao: 'Operação realizada com sucesso' } }, 'accepted'],
	[{ error: 'Success', errorText: '-', error_message: 'Sent successfully' }, 'accepted'],
	[{ erro: 'Enviado sem sucesso' }, both],
	[{ error: 'Unsuccessful' }, both],
	[{ text: 'Your payment failed', message: 'Not rejected', expiresAt: 1 }, 'accepted'],
	[{ statusCallback: 'https://example.com/error', cancelUrl: 'x', taxa: 404 }, 'accepted'],
])('a yes with %j is %s', (more, outcome) => {
	expect(judge(200, { messageId: '1', ...more })).toBe(outcome);
});

test('what only reads is not judged by the words of a send', () => {
	const body = { success: true, status: 'failed', campaigns: [{ messages: [{ messageId: 0 }] }] };
	expect(judge(200, body, {}, 'object')).toBe('accepted');
	expect(judge(200, body, {}, 'notShown')).toBe('accepted');
});

test('an answer is searched so deep as its nesting allows', () => {
	const deep = `${'{"a":'.repeat(100_000)}{"status":"failed"}${'}'.repeat(100_000)}`;
	expect(judge(200, `{"messageId":"1","a":${deep}}`)).toMatch(/accepted|unknown/);
});
