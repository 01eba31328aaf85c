import { pace } from '../../../nodes/MessagingGateway/run/pace';
import { Halt } from '../../../nodes/shared/halt';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

/** The time each of that many turns came, from the first call on. */
async function times(perSecond: number, turns: number, between: number[] = []) {
	const turn = pace(perSecond, new Halt());
	const started = Date.now();
	const came: number[] = [];
	for (let index = 0; index < turns; index++) {
		void turn().then(() => came.push(Date.now() - started));
		await jest.advanceTimersByTimeAsync(between[index] ?? 0);
	}
	await jest.runAllTimersAsync();
	return came;
}

test.each<[string, number, number[], number[]]>([
	['no limit', 0, [], [0, 0, 0, 0]],
	['a limit that makes no sense', -1, [], [0, 0, 0, 0]],
	['ten a second', 10, [], [0, 100, 200, 300]],
	['one in two seconds', 0.5, [], [0, 2_000, 4_000, 6_000]],
	['a pause saves nothing up', 10, [0, 1_000], [0, 100, 1_000, 1_100]],
])('%s', async (_, perSecond, between, expected) => {
	expect(await times(perSecond, 4, between)).toEqual(expected);
});

test('a halt ends the waits; no turn comes after it', async () => {
	const halt = new Halt();
	const turn = pace(1, halt);
	const turns = Promise.all([turn(), turn(), turn()]);
	await jest.advanceTimersByTimeAsync(500);
	halt.stop();
	expect(await turns).toEqual([true, false, false]);
	expect(await turn()).toBe(false);
	expect(await pace(0, halt)()).toBe(false);
	expect(jest.getTimerCount()).toBe(0);
});
