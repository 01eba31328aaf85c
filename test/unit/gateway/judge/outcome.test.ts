import { judgeAnswer } from '../../../../nodes/gateway/judge/answer';
import { serviceTexts } from '../../../../nodes/gateway/serviceTexts';

const judge = (statusCode: number, body: unknown, headers = {}) =>
	judgeAnswer(
		{ statusCode, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
		'sent',
		(text) => text,
	);

/** The kind of the outcome and of its reason: `refused now` for what may pass later. */
function short(outcome: ReturnType<typeof judge>): string {
	if (outcome.kind === 'accepted') return 'accepted';
	const now = outcome.kind === 'refused' && outcome.forNow ? ' now' : '';
	return `${outcome.kind}${now}: ${outcome.reason.kind}`;
}

const no = (message: string) => ({ success: false, message });
const validation = { detail: [{ loc: ['body', 'to'], msg: 'field required', type: 'missing' }] };

const media = { success: true, message: 'ok', messageId: '1', status: 'send' };
const sms = [{ success: true, message: 'ok', messageId: '1', status: 'pending' }];
const audio = { status: 200, statusmessage: 'pending', message_id: '1', taxa: 0.1 };

const busy = 'refused now: tooManyRequests';
const away = 'refused now: unavailable';
const fault = 'unknown: serverFault';
const redirect = 'refused: redirect';
const rejected = 'refused: rejected';
const both = 'unknown: contradictory';

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
	'no redirect': 'unknown: unusable',
	'4xx': rejected,
	proxy: fault,
	429: busy,
	'5xx': fault,
	503: 'unknown: unavailable', // a proxy's: it may have passed the request on
};

const always = (outcome: string): Row =>
	Object.fromEntries(Object.keys(statuses).map((group) => [group, outcome])) as Row;

/** Design §5: what becomes of a send, by body and status. */
const table: Array<[string, unknown, Row]> = [
	...[media, sms, audio].map((body): [string, unknown, Row] => [
		JSON.stringify(body),
		body,
		{ ...always(both), ok: 'accepted' },
	]),
	...(
		['invalidToken', 'campaignNotFound', 'deletionNotPermitted', 'instanceDisconnected'] as const
	).map((name): [string, unknown, Row] => [
		serviceTexts[name],
		no(serviceTexts[name]),
		{ ...always(rejected), 429: busy, 503: away },
	]),
	[serviceTexts.internalError, no(serviceTexts.internalError), always(fault)],
	[
		'an unknown refusal',
		no('Sem saldo.'),
		{ ...byStatus, ok: rejected, 'no redirect': rejected, 503: away },
	],
	[
		'a refusal without a word',
		{ success: false },
		{ ...byStatus, ok: rejected, 'no redirect': rejected },
	],
	[
		'a validation body',
		validation,
		{
			...byStatus,
			ok: 'refused: validation',
			'no redirect': 'refused: validation',
			'4xx': 'refused: validation',
			503: away,
		},
	],
	['a page', '<html><h1>Hi</h1></html>', { ...byStatus, ok: 'unknown: notJson' }],
	['a body that was cut short', '{"success": tr', { ...byStatus, ok: 'unknown: notJson' }],
	['an empty body', '', { ...byStatus, ok: 'unknown: empty' }],
	['JSON of another kind', [1, 'two'], { ...byStatus, ok: 'unknown: unusable' }],
	["a proxy's JSON", { message: 'no healthy upstream' }, { ...byStatus, ok: 'unknown: unusable' }],
];

describe.each(table)('%s', (_, body, expected) => {
	const cases = Object.entries(statuses).flatMap(([group, codes]) =>
		codes.map((code) => [code, expected[group as keyof typeof expected]] as const),
	);
	test.each(cases)('with status %d is %s', (status, outcome) => {
		expect(short(judge(status, body))).toBe(outcome);
	});
});

test.each([
	['<html>Busy</html>', { 'retry-after': '3' }, away],
	['', { 'retry-after': '0' }, away],
	['', { 'retry-after': 'soon' }, 'unknown: unavailable'],
	[media, { 'retry-after': '3' }, both],
])('503 with %j and the headers %j is %s', (body, headers, outcome) => {
	expect(short(judge(503, body, headers))).toBe(outcome);
});

test.each([101, 102])('%d is no answer to a send', (status) => {
	expect(short(judge(status, ''))).toBe('unknown: unusable');
});

const yes = { success: true, messageId: '1' };
const refusal = no('Sem saldo.');

/** What an answer with the status 200 says in several places at once. */
test.each<[unknown, string]>([
	[[{ ...yes, detail: [] }], 'accepted'],
	[{ ...yes, detail: 'queued' }, 'accepted'],
	[[yes, yes], 'accepted'],
	[[yes, {}], 'unknown: unusable'],
	[[{}, yes], 'unknown: unusable'],
	[[yes, 'x'], 'unknown: unusable'],
	[[yes, refusal], both],
	[[refusal, yes], both],
	[[{}, refusal], rejected],
	[[refusal, refusal], rejected],
	[[yes, no(serviceTexts.internalError)], fault],
	[[refusal, no(serviceTexts.internalError)], fault],
	[[yes, { status: 400 }], both],
	[{ ...yes, ...validation }, both],
	[{ messageId: '1', ...validation }, both],
	[{ detail: [] }, 'unknown: unusable'],
	[{ detail: ['bad'] }, 'refused: validation'],
	[{ detail: [7] }, 'refused: validation'],
	[{ ...refusal, messageId: '1' }, both],
	[{ ...refusal, messageId: '' }, rejected],
	[{ success: 'false', messageId: '1' }, both],
	[{ success: ' False ' }, rejected],
	[{ success: 0 }, rejected],
	[{ success: 'true' }, 'accepted'],
	[{ success: 1 }, 'accepted'],
	[{ success: 'sim' }, 'unknown: unusable'],
	[{ success: null }, 'unknown: unusable'],
	[{ success: { toString: 1 } }, 'unknown: unusable'],
	[{ success: true }, 'accepted'],
])('%j is %s', (body, outcome) => {
	expect(short(judge(200, body))).toBe(outcome);
});

test('the text is that of the refusal, wherever in the list it stands', () => {
	const answer = [{ message: 'ok' }, refusal, no('Outra.')];
	expect(judge(200, answer)).toMatchObject({ reason: { text: 'Sem saldo.' } });
});
