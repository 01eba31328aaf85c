/** Faults of the sandbox: for a send and a read, one of each kind for all operations, by its own ledger. */
import type { Fault, OperationId } from '../../../tools/sandbox';
import { once, operationIds, removals, sends } from '../../../tools/shared/operations';
import { jsonOf, numbers, pairs, until, useGateway } from './support';

/**
 * What a fault means for a request: `refused` for good, `forNow`, or `unknown`. `done`: the service
 * carried the request out all the same.
 */
interface Case {
	fault: Fault;
	means: 'refused' | 'forNow' | 'unknown';
	done?: boolean;
	/** For all operations. */
	everywhere?: true;
}

/** What each answer means is the judge's: see unit/service/judge. Here, what becomes of its request. */
const cases: Case[] = [
	{ fault: { refuse: 'Não.', status: 400 }, means: 'refused', everywhere: true },
	{ fault: { tooMany: true, retryAfter: 0 }, means: 'forNow', everywhere: true },
	{ fault: { refuse: 'Indisponível.', status: 503 }, means: 'forNow' },
	{ fault: { status: 502 }, means: 'unknown' },
	{ fault: { reset: 'afterAccept' }, means: 'unknown', done: true, everywhere: true },
];

const kinds: OperationId[] = ['sendSms', 'listApiKeys'];

// A sandbox for each, so that all run side by side and none sees what another one did.
const gateways = operationIds.map((id) => ({ id, gateway: useGateway() }));

// The shortest of the random waits, since there are hundreds of them.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

async function runUnder(bent: Case, { id, gateway }: (typeof gateways)[number], times?: number) {
	const { sandbox } = gateway;
	sandbox.fault({ operation: id, fault: bent.fault, ...(times && { times }) });
	const items = numbers(removals.includes(id) ? 1 : 2);
	const run = await gateway.run(id, {
		items,
		onError: 'continueRegularOutput',
		parameters: { limit: 1 },
		rules: { maxRetries: 1, timeout: 60_000 },
	});
	const requests = sandbox.requests();
	await until(() => requests.every(({ answeredAt }) => answeredAt !== null));

	const isOnce = once.includes(id);
	const isRepeated = bent.means === 'forNow' || (bent.means === 'unknown' && !isOnce);
	const hit = times ?? items.length;
	const recovers = times !== undefined && isRepeated;
	const failed = recovers ? 0 : hit;
	return {
		id,
		items: pairs(run.outputs[0]),
		error: run.error,
		outcomes: jsonOf(run).flatMap(({ error }) => (error ? [error] : [])),
		requests: requests.length,
		accepted: items.map((item) => sandbox.timesAccepted(item)).filter((count) => count > 0),
		expected: {
			id,
			items: items.map((_, index) => index),
			error: undefined,
			outcomes: Array(failed).fill({ outcome: bent.means === 'unknown' ? 'unknown' : 'refused' }),
			requests: items.length + (isRepeated ? hit : 0),
			accepted: sends.includes(id) ? Array(items.length - (bent.done ? 0 : failed)).fill(1) : [],
		},
	};
}

describe('an answer with status 401 whose compression is broken', () => {
	it.each(kinds)('to %s is unknown, and n8n does not repeat the request', async (id) => {
		const { gateway } = gateways.find((each) => each.id === id)!;
		const headers = { 'content-encoding': 'gzip' };
		gateway.sandbox.fault({ fault: { status: 401, headers, body: '[['.repeat(100) } });
		const rules = { timeout: 1_000 }; // n8n 2.0 waits that long for the rest of such a body
		const { error } = await gateway.run(id, { rules });
		expect(error?.message).toContain('ended without an answer');
		gateway.onlyRequest();
	});
});

describe.each(cases)('$fault', (bent) => {
	it.each([
		['always', undefined],
		['at first', 1],
	])('%s', async (_name, times) => {
		const some = gateways.filter(({ id }) => bent.everywhere ?? kinds.includes(id));
		const results = await Promise.all(
			some.map(async (entry) => await runUnder(bent, entry, times)),
		);
		for (const { expected, ...result } of results) expect(result).toMatchObject(expected);
	});
});
