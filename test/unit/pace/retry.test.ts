import { Limiter } from '../../../nodes/pace/limiter';
import { backoffMs, type RetryPolicy } from '../../../nodes/pace/attempts';
import { Abort } from '../../../nodes/pace/abort';
import type { Outcome } from '../../../nodes/service/outcome';
import { makeAll, makeOne } from './attempts';

const accepted: Outcome = { kind: 'accepted', body: {} };
const refused: Outcome = { kind: 'refused', forNow: false, reason: { kind: 'rejected' } };
const busy: Outcome = { kind: 'refused', forNow: true, reason: { kind: 'unavailable' } };
const offline: Outcome = { kind: 'refused', forNow: true, reason: { kind: 'neverLeft' } };
const unknown: Outcome = { kind: 'unknown', reason: { kind: 'noAnswer' } };
const tooLarge: Outcome = { kind: 'unknown', reason: { kind: 'tooLarge' } };
const askedToWait = (retryAfterMs: number): Outcome => ({ ...busy, retryAfterMs }) as Outcome;

beforeEach(() => jest.useFakeTimers());

/** Makes attempts, which end one after the other like this; the last one again and again. */
async function run(
	next: Outcome[] | ((limiter: Limiter, tries: number) => Promise<Outcome> | Outcome),
	policy: Partial<RetryPolicy> = {},
) {
	let attempts = 0;
	const { limiter = new Limiter() } = policy;
	const attempt = async () => {
		attempts++;
		if (typeof next === 'function') return await next(limiter, attempts);
		return next[Math.min(attempts, next.length) - 1]!;
	};
	const usual = { idempotent: false, maxRetries: 3, abort: new Abort() };
	const result = makeAll(attempt, { ...usual, ...policy, limiter });
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
])('%s', async (_, outcomes, idempotent, attempts, outcome) => {
	expect(await run(outcomes, { idempotent })).toEqual({ outcome, attempts });
});

test('waits twice as long each time, up to a minute; where the service asks for a pause, the limiter waits', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(1);
	const at: number[] = [];
	await run(() => (at.push(performance.now()), offline), { maxRetries: 9 });
	const waits = at.slice(1).map((time, index) => time - at[index]!);
	expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
	expect(backoffMs(askedToWait(3_000), 2)).toBe(0);
});

test.each<[string, Outcome, maxRetries: number, beside: number, attempts: number]>([
	['one too many is no retry while others are accepted', busy, 2, 5, 5 + 1 + 2],
	['one too many ends it where nothing is to be tried again', busy, 0, Infinity, 1],
	['not able to connect is a retry whoever is accepted', offline, 2, Infinity, 3],
])('being %s', async (_, outcome, maxRetries, beside, attempts) => {
	const next = async (limiter: Limiter, tries: number) => {
		if (tries <= beside) await makeOne(limiter, async () => accepted, { abort: new Abort() });
		return outcome;
	};
	expect(await run(next, { maxRetries })).toEqual({ outcome, attempts });
});

test('one too many beside others ends after minutes, not never', async () => {
	const began = performance.now();
	const { outcome } = await run(async (limiter) => {
		await makeOne(limiter, async () => accepted, { abort: new Abort() });
		return busy;
	});
	expect(outcome).toBe(busy);
	const minutes = (performance.now() - began) / 60_000;
	expect([5 < minutes, minutes < 10]).toEqual([true, true]);
});

test('an abort ends the wait with the outcome so far', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(1); // a wait of less than 1 ms is over at once
	const abort = new Abort();
	const next = () => {
		setTimeout(() => abort.stop(), 100);
		return offline;
	};
	expect(await run(next, { abort })).toEqual({ attempts: 1, outcome: offline });
});
