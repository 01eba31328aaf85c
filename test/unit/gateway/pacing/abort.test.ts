import * as workflow from 'n8n-workflow';

import { Abort } from '../../../../nodes/gateway/pacing/time';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<typeof workflow>('n8n-workflow'),
	__esModule: true, // so that there is one `sleep` to replace
}));

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

test('a wait says whether it came to its end', async () => {
	const abort = new Abort();
	const waits = Promise.all([abort.pause(10), abort.pause(20), abort.pause(30)]);
	await jest.advanceTimersByTimeAsync(15);
	expect(abort.isStopped).toBe(false);
	abort.stop();
	expect(await waits).toEqual([true, false, false]);
	await abort.stopped;
});

test('once stopped, it stays stopped: no wait begins, no timer is left', async () => {
	const abort = new Abort();
	void abort.pause(60_000);
	abort.stop();
	abort.stop();
	expect(abort.isStopped).toBe(true);
	expect(await abort.pause(10)).toBe(false);
	expect(jest.getTimerCount()).toBe(0);
});

test('a stop ends a wait at once where n8n does not heed the signal', async () => {
	// As n8n-workflow has it before 2.34.
	jest
		.spyOn(workflow, 'sleep')
		.mockImplementation(async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)));
	const abort = new Abort();
	const waits = Promise.all([abort.pause(10), abort.pause(60_000)]);
	await jest.advanceTimersByTimeAsync(10);
	abort.stop();
	expect(await waits).toEqual([true, false]);
});

test('a wait beyond what a timer can hold does not end at once', async () => {
	const abort = new Abort();
	const onEnd = jest.fn();
	void abort.pause(1e12).then(onEnd);
	await jest.advanceTimersByTimeAsync(60_000);
	expect(onEnd).not.toHaveBeenCalled();
});
