import { Limiter } from '../../../../nodes/gateway/pacing/limiter';
import { waitMs, withRetries, type RetryPolicy } from '../../../../nodes/gateway/pacing/retry';
import { Abort } from '../../../../nodes/gateway/pacing/abort';
import type { Outcome } from '../../../../nodes/gateway/outcome';

const accepted: Outcome = { kind: 'accepted', body: {} };
const refused: Outcome = { kind: 'refused', forNow: false, reason: { kind: 'rejected' } };
const busy: Outcome = { kind: 'refused', forNow: true, reason: { kind: 'unavailable' } };
const offline: Outcome = { kind: 'refused', forNow: true, reason: { kind: 'neverLeft' } };
const unknown: Outcome = { kind: 'unknown', reason: { kind: 'noAnswer' } };
const tooLarge: Outcome = { kind: 'unknown', reason: { kind: 'tooLarge' } };
const askedToWait = (retryAfterMs: number): Outcome => ({ ...busy, retryAfterMs }) as Outcome;

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** Gives these outcomes one after the other; the last one again and again. */
async function run(outcomes: Outcome[], policy: Partial<RetryPolicy> = {}) {
	let attempts = 0;
	const attempt = async () => outcomes[Math.min(++attempts, outcomes.length) - 1]!;
	const abort = new Abort();
	const limiter = new Limiter();
	const result = withRetries(attempt, {
		idempotent: false,
		maxRetries: 3,
		limiter,
		abort,
		...policy,
	});
	await jest.runAllTimersAsync();
	return { outcome: await result, attempts };
}

test.each<[string, Outcome[], boolean, number, Outcome]>([
	['accepted at once', [accepted], false, 1, accepted],
	['refused for good', [refused, accepted], true, 1, refused],
	['refused for now, then accepted', [busy, busy, accepted], false, 3, accepted],
	['refused for now, on and on', [busy], false, 4, busy],
	['refused for now, then for good', [busy, refused, accepted], false, 2, refused],
	['unknown, of a send', [unknown, accepted], false, 1, unknown],
	['unknown, of a read', [unknown, accepted], true, 2, accepted],
	['unknown, on and on, of a read', [unknown], true, 4, unknown],
	['an answer of a read that is too large', [tooLarge, accepted], true, 1, tooLarge],
	['a send, refused for now, then unknown', [busy, unknown, accepted], false, 2, unknown],
	['a read, unknown, then refused', [unknown, refused, accepted], true, 2, unknown],
	['a read, unknown, then refused for now', [unknown, busy], true, 4, unknown],
	['a read, unknown, then refused, then accepted', [unknown, offline, accepted], true, 3, accepted],
	['never left, then accepted', [offline, offline, accepted], false, 3, accepted],
])('%s', async (_, outcomes, idempotent, attempts, outcome) => {
	expect(await run(outcomes, { idempotent })).toEqual({ outcome, attempts });
});

test.each([0, 1, 5])('%d retries are that many attempts after the first', async (maxRetries) => {
	expect(await run([busy], { maxRetries })).toMatchObject({ attempts: maxRetries + 1 });
});

test('waits twice as long each time', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(1);
	const abort = new Abort();
	const begin = Date.now();
	const at: number[] = [];
	const attempt = async () => {
		at.push(Date.now() - begin);
		return offline;
	};
	const policy = { idempotent: false, maxRetries: 3, limiter: new Limiter(), abort };
	const result = withRetries(attempt, policy);
	await jest.runAllTimersAsync();
	await result;
	expect(at).toEqual([0, 500, 1_500, 3_500]);
});

describe('being one too many', () => {
	/** Another item's request, accepted by the same service. */
	const other = async (limiter: Limiter) =>
		await limiter.run(async () => accepted, { abort: new Abort() });

	test('is no retry while others are accepted', async () => {
		const abort = new Abort();
		const limiter = new Limiter();
		let attempts = 0;
		const attempt = async () => {
			void other(limiter);
			return ++attempts < 20 ? busy : accepted;
		};
		const result = withRetries(attempt, { idempotent: false, maxRetries: 1, limiter, abort });
		await jest.runAllTimersAsync();
		expect(await result).toBe(accepted);
		expect(attempts).toBe(20);
	});

	test('is one as soon as nobody is', async () => {
		const abort = new Abort();
		const limiter = new Limiter();
		let attempts = 0;
		const attempt = async () => {
			if (++attempts < 5) void other(limiter);
			return busy;
		};
		const result = withRetries(attempt, { idempotent: false, maxRetries: 2, limiter, abort });
		await jest.runAllTimersAsync();
		expect(await result).toBe(busy);
		expect(attempts).toBeGreaterThanOrEqual(5 + 2);
		expect(attempts).toBeLessThanOrEqual(5 + 3);
	});

	/** Makes attempts that all end so, while another item's is accepted. */
	async function besideOthers(outcome: Outcome, maxRetries: number) {
		const abort = new Abort();
		const limiter = new Limiter();
		let attempts = 0;
		const attempt = async () => {
			attempts++;
			await other(limiter);
			return outcome;
		};
		const result = withRetries(attempt, { idempotent: false, maxRetries, limiter, abort });
		await jest.runAllTimersAsync();
		return { outcome: await result, attempts };
	}

	test('ends it where nothing is to be tried again', async () => {
		expect(await besideOthers(busy, 0)).toEqual({ outcome: busy, attempts: 1 });
	});

	test('not able to connect, is a retry whoever is accepted', async () => {
		expect(await besideOthers(offline, 2)).toEqual({ outcome: offline, attempts: 3 });
	});
});

test('no attempt is made in a run that is aborted', async () => {
	const abort = new Abort();
	abort.stop();
	expect(await run([busy], { abort, limiter: new Limiter() })).toEqual({
		attempts: 0,
		outcome: undefined,
	});
});

test('where the service wants to be left alone for long, others get its refusal without an attempt', async () => {
	const abort = new Abort();
	const limiter = new Limiter();
	const hour = askedToWait(3_600_000);
	expect(await run([hour], { abort, limiter })).toEqual({ attempts: 1, outcome: hour });
	expect(await run([accepted], { abort, limiter })).toEqual({ attempts: 0, outcome: hour });
});

test('an abort ends the wait, and the outcome so far stands', async () => {
	const abort = new Abort();
	const attempt = jest.fn(async () => offline);
	const limiter = new Limiter();
	const result = withRetries(attempt, { idempotent: false, maxRetries: 3, limiter, abort });
	await jest.advanceTimersByTimeAsync(0);
	abort.stop();
	expect(await result).toBe(offline);
	expect(attempt).toHaveBeenCalledTimes(1);
	expect(jest.getTimerCount()).toBe(0);
});

describe('waitMs', () => {
	const between = (random: number, outcome: Outcome, retry: number) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		return waitMs(outcome, retry);
	};

	test.each([
		[busy, 0, 0, 500],
		[busy, 1, 0, 1_000],
		[busy, 3, 0, 4_000],
		[unknown, 2, 0, 2_000],
		[offline, 1, 0, 1_000],
		[askedToWait(3_000), 2, 0, 0], // the limiter waits
		[busy, 20, 0, 60_000],
	])('%j, retry %d: %d to %d ms', (outcome, retry, least, most) => {
		expect(between(0, outcome, retry)).toBe(least);
		expect(between(0.999999, outcome, retry)).toBeCloseTo(most, -2);
	});
});
