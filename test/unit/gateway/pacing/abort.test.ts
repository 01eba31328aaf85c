import * as workflow from 'n8n-workflow';

import { Halt } from '../../../../nodes/gateway/pacing/abort';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<typeof workflow>('n8n-workflow'),
	__esModule: true, // so that there is one `sleep` to replace
}));

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

test('a wait says whether it came to its end', async () => {
	const halt = new Halt();
	const waits = Promise.all([halt.pause(10), halt.pause(20), halt.pause(30)]);
	await jest.advanceTimersByTimeAsync(15);
	expect(halt.isStopped).toBe(false);
	halt.stop();
	expect(await waits).toEqual([true, false, false]);
	await halt.stopped;
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

test('a stop ends a wait at once where n8n does not heed the signal', async () => {
	// As n8n-workflow has it before 2.34.
	jest
		.spyOn(workflow, 'sleep')
		.mockImplementation(async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)));
	const halt = new Halt();
	const waits = Promise.all([halt.pause(10), halt.pause(60_000)]);
	await jest.advanceTimersByTimeAsync(10);
	halt.stop();
	expect(await waits).toEqual([true, false]);
});

test('a wait beyond what a timer can hold does not end at once', async () => {
	const halt = new Halt();
	const onEnd = jest.fn();
	void halt.pause(1e12).then(onEnd);
	await jest.advanceTimersByTimeAsync(60_000);
	expect(onEnd).not.toHaveBeenCalled();
});
