/** How the nodes report answers that are not a success, from the nodes' own code. */
import { hintsFor, type ItemRequest, type Operation } from '../../nodes/send/operation';
import type { GatewayRequest } from '../../nodes/service/request';
import { toNodeApiError } from '../../nodes/service/requestError';
import { Abort } from '../../nodes/pace/abort';
import { judgeAnswer } from '../../nodes/service/judge/answer';
import { judgeFailure } from '../../nodes/service/judge/failure';
import { Limiter, type Permit } from '../../nodes/pace/limiter';
import type { Outcome } from '../../nodes/service/outcome';
import { attemptsOf } from '../../nodes/pace/attempts';
import { node } from '../shared/context';
import { code, plain, table } from './markdown';

/** An answer of the service, and how the client judges it. */
export interface RefusalCase {
	/** The service's answer, in Markdown. */
	answer: string;
	outcome: Outcome;
}

export const client = { origin: 'https://gateway.example.com' };

const answered = (
	request: Pick<GatewayRequest, 'expected'>,
	statusCode: number,
	body: unknown = '',
	headers = {},
) =>
	judgeAnswer(
		{ statusCode, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
		request.expected ?? 'object',
		String,
	);

const broken = (code: string) => judgeFailure(Object.assign(new Error(code), { code }), String);

/** The service's own error texts for an operation (interface §7). */
export function ownRefusals(
	request: Pick<GatewayRequest, 'expected'>,
	endpoints: Array<{ errorTexts: string[]; validates: boolean }>,
): RefusalCase[] {
	const texts = [...new Set(endpoints.flatMap(({ errorTexts }) => errorTexts))];
	const detail = [{ loc: ['body', 'to'], msg: 'field required', type: 'missing' }];
	const cases = texts.map((text) => ({
		answer: code(text),
		outcome: answered(request, 400, { success: false, message: text }),
	}));
	const invalid = answered(request, 422, { detail });
	return endpoints.some(({ validates }) => validates)
		? [...cases, { answer: 'a `detail` list with a field', outcome: invalid }]
		: cases;
}

/** Answers of any server. */
export const anyRefusals = (request: Pick<GatewayRequest, 'expected'>): RefusalCase[] => [
	{
		answer: 'another text, e.g. `Sem saldo.`',
		outcome: answered(request, 400, { success: false, message: 'Sem saldo.' }),
	},
	{ answer: 'status 401 or 403', outcome: answered(request, 401) },
	{ answer: 'status 404', outcome: answered(request, 404) },
	{ answer: 'status 429', outcome: answered(request, 429) },
	{
		answer: 'status 503, with `Retry-After`',
		outcome: answered(request, 503, '', { 'retry-after': '1' }),
	},
	{ answer: 'status 500, 502, 504, 408 or 499', outcome: answered(request, 500) },
	{ answer: 'status 503 from a proxy', outcome: answered(request, 503) },
	{
		answer: 'a redirect',
		outcome: answered(request, 301, '', { location: 'https://new.example.com/' }),
	},
	{ answer: 'a web page', outcome: answered(request, 200, '<h1>Login</h1>') },
	{ answer: 'an empty answer', outcome: answered(request, 200) },
	{ answer: 'no answer in time', outcome: broken('ETIMEDOUT') },
	{ answer: 'no connection', outcome: broken('ECONNREFUSED') },
];

/** A table of the cases that are not a success for this operation. */
export async function describeRefusals(
	operation: Operation,
	request: ItemRequest,
	cases: RefusalCase[],
): Promise<string> {
	const rows = await Promise.all(
		cases.map(async ({ answer: name, outcome: said }) => {
			if (said.kind === 'accepted') return [];
			const outcome = request.judge?.(said) ?? said;
			if (outcome.kind === 'accepted') {
				const output = JSON.stringify(request.output(outcome.body));
				return [[name, `none: the output item is ${code(output)}`, '', '']];
			}
			const { uncertainty } = operation;
			const hints = hintsFor(operation);
			const error = toNodeApiError(node, client, outcome, { request, uncertainty, hints });
			const retried = (await isRetried(outcome, operation)) ? 'yes' : 'no';
			return [[name, plain(error.message), plain(error.description ?? ''), retried]];
		}),
	);
	return table(['answer', 'message', 'what to do', 'retried automatically'], rows.flat());
}

/** Asks the retry policy itself, without waiting. */
async function isRetried(outcome: Outcome, { idempotent }: Operation): Promise<boolean> {
	let tries = 0;
	const abort = Object.assign(new Abort(), { pause: async () => tries < 2 });
	const permit: Permit = { end: (ended) => ended, release: () => {} };
	const limiter = { accepted: 0, enter: async () => permit } as unknown as Limiter;
	for await (const attempt of attemptsOf({ idempotent, maxRetries: 1, limiter, abort })) {
		tries += 1;
		attempt.end(outcome);
	}
	return tries > 1;
}
