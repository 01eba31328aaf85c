import { getEventListeners } from 'node:events';
import * as workflow from 'n8n-workflow';

import { Abort } from '../../../nodes/pace/abort';
import { withTimeout } from '../../../nodes/n8n/timeout';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<typeof workflow>('n8n-workflow'),
	__esModule: true, // so that there is one `sleep` to replace
}));

describe('an abort', () => {
	beforeEach(() => jest.useFakeTimers());

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
		const begun = abort.pause(60_000);
		abort.stop();
		abort.stop();
		expect(abort.isStopped).toBe(true);
		expect(await abort.pause(10)).toBe(false);
		expect(await begun).toBe(false);
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
});

test('a task in time gives its value, or its error', async () => {
	expect(await withTimeout(10_000, undefined, async () => 7)).toBe(7);
	const broken = new Error('broken');
	const task = async () => await Promise.reject(broken);
	await expect(withTimeout(10_000, undefined, task)).rejects.toBe(broken);
});

test.each([5, 0.5])('after %d ms the signal ends, and the task is too late', async (ms) => {
	let signal: AbortSignal | undefined;
	const task = async (given: AbortSignal) => {
		signal = given;
		expect(given.aborted).toBe(false);
		await new Promise<never>((_, reject) => {
			given.addEventListener('abort', () => reject(new Error('aborted')));
		});
	};
	await expect(withTimeout(ms, undefined, task)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
	expect(signal?.aborted).toBe(true);
});

test('the signal ends with the other one', async () => {
	const cancel = new AbortController();
	let signal: AbortSignal | undefined;
	const task = async (given: AbortSignal) => {
		signal = given;
		await new Promise<never>(() => {});
	};
	const result = withTimeout(10_000, cancel.signal, task);
	cancel.abort();
	await expect(result).rejects.toMatchObject({ code: 'ERR_CANCELED' });
	expect(signal?.aborted).toBe(true);
});

test('more than a timer can hold is a time, too', async () => {
	const task = async () => await new Promise((resolve) => setTimeout(() => resolve('done'), 20));
	expect(await withTimeout(1e12, undefined, task)).toBe('done');
});

test('nothing listens any more when the task is done, so that nothing keeps the clock', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const cancel = new AbortController();
	const listeners = () =>
		[cancel.signal, timeout.mock.results[0]!.value as AbortSignal].map(
			(signal) => getEventListeners(signal, 'abort').length,
		);
	await withTimeout(10_000, cancel.signal, async () => expect(listeners()).toEqual([1, 1]));
	expect(listeners()).toEqual([0, 0]);
	await withTimeout(10_000, cancel.signal, async () => await Promise.reject(new Error())).catch(
		() => {},
	);
	expect(listeners()).toEqual([0, 0]);
});
