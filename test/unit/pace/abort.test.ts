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

	test.each([
		['heeds the signal', true],
		['does not, as before n8n-workflow 2.34', false],
	])(
		'ends the waits that are left, and all later ones, where the sleep of n8n %s',
		async (...of) => {
			const [, isHeeded] = of;
			if (!isHeeded) {
				const sleep = async (ms: number) => await new Promise<void>((end) => setTimeout(end, ms));
				jest.spyOn(workflow, 'sleep').mockImplementation(sleep);
			}
			const abort = new Abort();
			const waits = Promise.all([10, 20, 60_000].map(async (ms) => await abort.pause(ms)));
			await jest.advanceTimersByTimeAsync(15);
			expect(abort.isStopped).toBe(false);
			for (let time = 0; time < 2; time++) abort.stop();
			expect(await waits).toEqual([true, false, false]);
			if (isHeeded) expect(jest.getTimerCount()).toBe(0);
			expect(await abort.pause(10)).toBe(false);
			expect(abort.isStopped).toBe(true);
			await abort.stopped;
		},
	);

	test('a wait beyond what a timer can hold does not end at once', async () => {
		const onEnd = jest.fn();
		void new Abort().pause(1e12).then(onEnd);
		await jest.advanceTimersByTimeAsync(60_000);
		expect(onEnd).not.toHaveBeenCalled();
	});
});

describe('a task with a time limit', () => {
	test('gives its value or its error; nothing listens any more, so that nothing keeps the clock', async () => {
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		const cancel = new AbortController();
		const listeners = () =>
			[cancel.signal, timeout.mock.results.at(-1)!.value as AbortSignal].map(
				(signal) => getEventListeners(signal, 'abort').length,
			);
		const task = async () => (expect(listeners()).toEqual([1, 1]), 7);
		expect(await withTimeout(10_000, cancel.signal, task)).toBe(7);
		expect(listeners()).toEqual([0, 0]);
		const broken = new Error('broken');
		const failing = async () => await Promise.reject(broken);
		await expect(withTimeout(10_000, cancel.signal, failing)).rejects.toBe(broken);
		expect(listeners()).toEqual([0, 0]);
	});

	test.each([
		['its time is up', 5, false, 'ETIMEDOUT'],
		['its time of less than 1 ms is up', 0.5, false, 'ETIMEDOUT'],
		['it is cancelled', 10_000, true, 'ERR_CANCELED'],
	])('ends when %s, whatever it does then', async (_, ms, isCancelled, code) => {
		const cancel = new AbortController();
		for (const isHeeded of [true, false]) {
			let signal: AbortSignal | undefined;
			const task = async (given: AbortSignal) => {
				signal = given;
				expect(given.aborted).toBe(false);
				await new Promise<never>((_, reject) => {
					if (isHeeded) given.addEventListener('abort', () => reject(new Error('aborted')));
				});
			};
			const result = withTimeout(ms, cancel.signal, task);
			if (isCancelled) cancel.signal.dispatchEvent(new Event('abort'));
			await expect(result).rejects.toMatchObject({ code });
			expect(signal?.aborted).toBe(true);
		}
	});

	test('may take longer than a timer can hold', async () => {
		const task = async () => await new Promise((resolve) => setTimeout(() => resolve('done'), 20));
		expect(await withTimeout(1e12, undefined, task)).toBe('done');
	});
});
