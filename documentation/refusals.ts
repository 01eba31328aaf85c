/** What the nodes tell of answers that are no success: their own code judges and words them. */
import { adviceFor } from '../nodes/MessagingGateway/form';
import type { Operation } from '../nodes/MessagingGateway/operation';
import type { GatewayRequest } from '../nodes/gateway/request';
import { toNodeApiError } from '../nodes/gateway/errors';
import { Abort } from '../nodes/gateway/pacing/abort';
import { judgeAnswer } from '../nodes/gateway/judge/answer';
import { judgeFailure } from '../nodes/gateway/judge/failure';
import { Limiter } from '../nodes/gateway/pacing/limiter';
import type { Outcome } from '../nodes/gateway/outcome';
import { withRetries } from '../nodes/gateway/pacing/retry';
import { node } from '../testing/context';
import { code, plain, table } from './markdown';

/** Something that the service may do, and how the client judges it. */
export interface Case {
	/** In Markdown. */
	service: string;
	outcome: Outcome;
}

/** What is shown of the service's address. */
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

/** The service's own texts that are listed for an operation of its interface (§7). */
export function ownRefusals(
	request: Pick<GatewayRequest, 'expected'>,
	texts: string[],
	validates: boolean,
): Case[] {
	const detail = [{ loc: ['body', 'to'], msg: 'field required', type: 'missing' }];
	return [
		...texts.map((text) => ({
			service: code(text),
			outcome: answered(request, 400, { success: false, message: text }),
		})),
		...(validates
			? [
					{
						service: 'a `detail` list that names a field',
						outcome: answered(request, 422, { detail }),
					},
				]
			: []),
	];
}

/** What any server may do. */
export const anyRefusals = (request: Pick<GatewayRequest, 'expected'>): Case[] => [
	{
		service: 'a text of its own, e.g. `Sem saldo.`',
		outcome: answered(request, 400, { success: false, message: 'Sem saldo.' }),
	},
	{ service: 'status 401 or 403', outcome: answered(request, 401) },
	{ service: 'status 404', outcome: answered(request, 404) },
	{ service: 'status 429', outcome: answered(request, 429) },
	{
		service: 'status 503, with `Retry-After`',
		outcome: answered(request, 503, '', { 'retry-after': '1' }),
	},
	{ service: 'status 500, 502, 504, 408 or 499', outcome: answered(request, 500) },
	{ service: 'status 503 of a proxy', outcome: answered(request, 503) },
	{
		service: 'a redirect',
		outcome: answered(request, 301, '', { location: 'https://new.example.com/' }),
	},
	{ service: 'a web page', outcome: answered(request, 200, '<h1>Login</h1>') },
	{ service: 'an empty answer', outcome: answered(request, 200) },
	{ service: 'no answer in time', outcome: broken('ETIMEDOUT') },
	{ service: 'cannot be reached', outcome: broken('ECONNREFUSED') },
];

/** A table of all cases that are no success for this operation. */
export async function describeRefusals(
	operation: Operation,
	request: GatewayRequest,
	cases: Case[],
): Promise<string> {
	const rows = await Promise.all(
		cases.map(async ({ service, outcome: said }) => {
			const outcome = request.judge?.(said) ?? said;
			if (outcome.kind === 'accepted') return [];
			const answer = operation.refusalAsAnswer?.(outcome.reason);
			if (answer) {
				return [
					[service, `no error: the item that comes out is ${code(JSON.stringify(answer))}`, '', ''],
				];
			}
			const { uncertainty } = operation;
			const error = toNodeApiError(node, client, outcome, {
				request,
				uncertainty,
				advice: adviceFor(operation),
			});
			const again = (await isTriedAgain(outcome, operation)) ? 'yes' : 'no';
			return [[service, plain(error.message), plain(error.description ?? ''), again]];
		}),
	);
	return table(
		['the service', 'the node says', 'and what to do', 'tried again by itself'],
		rows.flat(),
	);
}

/** Asks the policy itself; nothing is waited for. */
async function isTriedAgain(outcome: Outcome, { idempotent }: Operation): Promise<boolean> {
	let tries = 0;
	const attempt = async () => {
		tries += 1;
		return outcome;
	};
	const abort = Object.assign(new Abort(), { pause: async () => tries < 2 });
	const limiter = { accepted: 0, run: attempt } as unknown as Limiter;
	await withRetries(attempt, { idempotent, maxRetries: 1, limiter, abort });
	return tries > 1;
}
