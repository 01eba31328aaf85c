/** When messages leave in an outage. Random worlds: test/simulation/outage.ts; lists: ../send/pace.test.ts. */
import type { Outcome } from '../../../nodes/service/outcome';
import { CircuitBreaker } from '../../../nodes/pace/circuitBreaker';
import { Limiter, type Permit } from '../../../nodes/pace/limiter';
import { Abort } from '../../../nodes/pace/abort';

const accepted: Outcome = { kind: 'accepted', body: {} };
const lost: Outcome = { kind: 'unknown', reason: { kind: 'noAnswer' } };
const keyRefused: Outcome = {
	...{ kind: 'refused', forNow: false },
	reason: { kind: 'rejected', status: 401 },
};

beforeEach(() => jest.useFakeTimers());

/** A run's messages, of which four may be under way at a time. */
function sending() {
	const breaker = new CircuitBreaker();
	const turn = { limiter: new Limiter(), abort: new Abort(), maxConcurrent: 4 };
	const enter = async () => (await breaker.enter(turn))!;
	const end = (permit: Permit, outcome: Outcome) => {
		permit.end(outcome);
		permit.release();
	};
	return { breaker, turn, enter, end };
}

it('a message that waits for a place waits anew once one that left before is lost', async () => {
	const { turn, enter, end } = sending();
	const early = [await enter(), await enter(), await enter(), await enter()];
	for (const permit of early.slice(1)) end(permit, lost);
	// Another run takes the places.
	await Promise.all([1, 2, 3].map(async () => await turn.limiter.enter(turn)));

	let hasLeft = false;
	void enter().then(() => (hasLeft = true));
	await jest.advanceTimersByTimeAsync(2_000);
	end(early[0]!, lost);
	await jest.advanceTimersByTimeAsync(999);
	expect(hasLeft).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	expect(hasLeft).toBe(true);
});

it('a late answer lets no other message leave in a run whose key was refused five times', async () => {
	const { breaker, enter, end } = sending();
	end(await enter(), keyRefused);
	const late = await enter();
	for (let refusals = 1; refusals < 5; refusals++) end(await enter(), keyRefused);
	expect(breaker.outage).toBe('keyRefused');
	end(late, accepted);
	expect(breaker.outage).toBe('keyRefused');
	expect(await enter()).toBeUndefined();
});
