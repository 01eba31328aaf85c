import { judgeAnswer } from '../../../nodes/shared/judgeAnswer';
import { serviceTexts } from '../../../nodes/shared/serviceTexts';

const judge = (statusCode: number, body: unknown) =>
	judgeAnswer(
		{ statusCode, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) },
		'sent',
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

const refusedNow = { 429: 'refused now: tooManyRequests', 503: 'refused now: unavailable' };
const fault = 'unknown: serverFault';
const redirect = 'refused: redirect';
const rejected = 'refused: rejected';

/** Design §5: what becomes of a send, by body and status. */
const table: Array<[string, unknown, Record<'ok' | '3xx' | '4xx' | 429 | '5xx' | 503, string>]> = [
	...[media, sms, audio].map(
		(body) =>
			[
				JSON.stringify(body),
				body,
				{ ...refusedNow, ok: 'accepted', '3xx': redirect, '4xx': rejected, '5xx': fault },
			] as (typeof table)[number],
	),
	...(
		['invalidToken', 'campaignNotFound', 'deletionNotPermitted', 'instanceDisconnected'] as const
	).map(
		(name) =>
			[
				serviceTexts[name],
				no(serviceTexts[name]),
				{ ...refusedNow, ok: rejected, '3xx': rejected, '4xx': rejected, '5xx': rejected },
			] as (typeof table)[number],
	),
	[
		serviceTexts.internalError,
		no(serviceTexts.internalError),
		{ ok: fault, '3xx': fault, '4xx': fault, 429: fault, '5xx': fault, 503: fault },
	],
	[
		'an unknown refusal',
		no('Sem saldo.'),
		{ ...refusedNow, ok: rejected, '3xx': redirect, '4xx': rejected, '5xx': fault },
	],
	[
		'a validation body',
		validation,
		{
			...refusedNow,
			ok: 'refused: validation',
			'3xx': redirect,
			'4xx': 'refused: validation',
			'5xx': fault,
		},
	],
	[
		'a page',
		'<html><h1>Hi</h1></html>',
		{ ...refusedNow, ok: 'unknown: notJson', '3xx': redirect, '4xx': rejected, '5xx': fault },
	],
	[
		'a body that was cut short',
		'{"success": tr',
		{ ...refusedNow, ok: 'unknown: notJson', '3xx': redirect, '4xx': rejected, '5xx': fault },
	],
	[
		'an empty body',
		'',
		{ ...refusedNow, ok: 'unknown: empty', '3xx': redirect, '4xx': rejected, '5xx': fault },
	],
	[
		'JSON of another kind',
		[1, 'two'],
		{ ...refusedNow, ok: 'unknown: unusable', '3xx': redirect, '4xx': rejected, '5xx': fault },
	],
];

const statuses = {
	ok: [200, 201, 202],
	'3xx': [301, 302, 307, 308],
	'4xx': [400, 401, 403, 404, 409, 413, 422],
	429: [429],
	'5xx': [500, 502, 504],
	503: [503],
};

describe.each(table)('%s', (_, body, expected) => {
	const cases = Object.entries(statuses).flatMap(([group, codes]) =>
		codes.map((code) => [code, expected[group as keyof typeof expected]] as const),
	);
	test.each(cases)('with status %d is %s', (status, outcome) => {
		expect(short(judge(status, body))).toBe(outcome);
	});
});
