import { Halt } from '../../../nodes/shared/halt';
import type { Outcome } from '../../../nodes/shared/outcome';
import { waitMs, withRetries, type RetryPolicy } from '../../../nodes/shared/retry';

const accepted: Outcome = { kind: 'accepted', body: {} };
const refused: Outcome = { kind: 'refused', forNow: false, reason: { kind: 'rejected' } };
const busy: Outcome = { kind: 'refused', forNow: true, reason: { kind: 'unavailable' } };
const unknown: Outcome = { kind: 'unknown', reason: { kind: 'noAnswer' } };
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
	const result = withRetries(attempt, { idempotent: false, maxRetries: 3, ...policy });
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
	['a send, refused for now, then unknown', [busy, unknown, accepted], false, 2, unknown],
])('%s', async (_, outcomes, idempotent, attempts, outcome) => {
	expect(await run(outcomes, { idempotent })).toEqual({ outcome, attempts });
});

test.each([0, 1, 5])('%d retries are that many attempts after the first', async (maxRetries) => {
	expect(await run([busy], { maxRetries })).toMatchObject({ attempts: maxRetries + 1 });
});

test('each attempt waits for its turn, and none is made without', async () => {
	let turns = 0;
	expect(await run([busy], { turn: async () => ++turns < 3 })).toEqual({
		attempts: 2,
		outcome: busy,
	});
	expect(await run([busy], { turn: async () => false })).toEqual({
		attempts: 0,
		outcome: undefined,
	});
});

test('a halt ends the wait, and the outcome so far stands', async () => {
	const halt = new Halt();
	const attempt = jest.fn(async () => busy);
	const result = withRetries(attempt, { idempotent: false, maxRetries: 3, halt });
	await jest.advanceTimersByTimeAsync(0);
	halt.stop();
	expect(await result).toBe(busy);
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
		[askedToWait(3_000), 0, 3_000, 3_500],
		[askedToWait(3_000), 2, 3_000, 5_000],
		[busy, 20, 0, 60_000],
		[askedToWait(3_600_000), 0, 60_000, 60_000],
	])('%j, retry %d: %d to %d ms', (outcome, retry, least, most) => {
		expect(between(0, outcome, retry)).toBe(least);
		expect(between(0.999999, outcome, retry)).toBeCloseTo(most, -2);
	});
});
