/** When messages leave in an outage. Random worlds: test/simulation/outage.ts; lists: ../send/pace.test.ts. */
import type { Outcome } from '../../../nodes/service/outcome';
import { CircuitBreaker } from '../../../nodes/pace/circuitBreaker';
import { Limiter, type Permit } from '../../../nodes/pace/limiter';
import { Abort } from '../../../nodes/pace/abort';

const lost: Outcome = { kind: 'unknown', reason: { kind: 'noAnswer' } };
beforeEach(() => jest.useFakeTimers());

it('a message that waits for a place waits anew once one that left before is lost', async () => {
	const breaker = new CircuitBreaker();
	const turn = { limiter: new Limiter(), abort: new Abort(), maxConcurrent: 4 };
	const enter = async () => (await breaker.enter(turn))!;
	const lose = (permit: Permit) => {
		permit.end(lost);
		permit.release();
	};
	const early = [await enter(), await enter(), await enter(), await enter()];
	for (const permit of early.slice(1)) lose(permit);
	// Another run takes the places.
	await Promise.all([1, 2, 3].map(async () => await turn.limiter.enter(turn)));

	let hasLeft = false;
	void enter().then(() => (hasLeft = true));
	await jest.advanceTimersByTimeAsync(2_000);
	lose(early[0]!);
	await jest.advanceTimersByTimeAsync(999);
	expect(hasLeft).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	expect(hasLeft).toBe(true);
});
