import { getEventListeners } from 'node:events';

import { within } from '../../../../nodes/gateway/pacing/time';

const never = async () => await new Promise<never>(() => {});

test('a task in time gives its value, or its error', async () => {
	expect(await within(10_000, undefined, async () => 7)).toBe(7);
	const broken = new Error('broken');
	const task = async () => await Promise.reject(broken);
	await expect(within(10_000, undefined, task)).rejects.toBe(broken);
});

test('the signal ends when the time is up', async () => {
	let signal: AbortSignal | undefined;
	const task = async (given: AbortSignal) => {
		signal = given;
		expect(given.aborted).toBe(false);
		await never();
	};
	await expect(within(5, undefined, task)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
	expect(signal?.aborted).toBe(true);
});

test('the signal ends with the other one', async () => {
	const cancel = new AbortController();
	let signal: AbortSignal | undefined;
	const task = async (given: AbortSignal) => {
		signal = given;
		await never();
	};
	const result = within(10_000, cancel.signal, task);
	cancel.abort();
	await expect(result).rejects.toMatchObject({ code: 'ERR_CANCELED' });
	expect(signal?.aborted).toBe(true);
});

test('what the task makes of the signal comes too late', async () => {
	const task = async (signal: AbortSignal) =>
		await new Promise<never>((_, reject) => {
			signal.addEventListener('abort', () => reject(new Error('aborted')));
		});
	await expect(within(5, undefined, task)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('less than a millisecond is a time, too', async () => {
	await expect(within(0.5, undefined, never)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('more than a timer can hold is a time, too', async () => {
	const task = async () => await new Promise((resolve) => setTimeout(() => resolve('done'), 20));
	expect(await within(1e12, undefined, task)).toBe('done');
});

test('nothing listens any more when the task is done, so that nothing keeps the clock', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	const cancel = new AbortController();
	const listeners = () =>
		[cancel.signal, timeout.mock.results[0]!.value as AbortSignal].map(
			(signal) => getEventListeners(signal, 'abort').length,
		);
	await within(10_000, cancel.signal, async () => expect(listeners()).toEqual([1, 1]));
	expect(listeners()).toEqual([0, 0]);
	await within(10_000, cancel.signal, async () => await Promise.reject(new Error())).catch(
		() => {},
	);
	expect(listeners()).toEqual([0, 0]);
	timeout.mockRestore();
});
