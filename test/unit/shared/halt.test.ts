import { Halt } from '../../../nodes/shared/halt';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

test('a wait says whether it came to its end', async () => {
	const halt = new Halt();
	const waits = Promise.all([halt.pause(10), halt.pause(20), halt.pause(30)]);
	await jest.advanceTimersByTimeAsync(15);
	expect(halt.isStopped).toBe(false);
	halt.stop();
	expect(await waits).toEqual([true, false, false]);
});

test('once stopped, it stays stopped: no wait begins, no timer is left', async () => {
	const halt = new Halt();
	void halt.pause(60_000);
	halt.stop();
	halt.stop();
	expect(halt.isStopped).toBe(true);
	expect(await halt.pause(10)).toBe(false);
	expect(jest.getTimerCount()).toBe(0);
});

test('a halt stops its own run alone', async () => {
	const [halt, other] = [new Halt(), new Halt()];
	const wait = other.pause(10);
	halt.stop();
	await jest.advanceTimersByTimeAsync(10);
	expect(await wait).toBe(true);
});
