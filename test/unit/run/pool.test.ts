import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';

import { Pool } from '../../../nodes/MessagingGateway/run/concurrency';

const task = fc.record({ comesAfter: fc.nat(5), takes: fc.nat(3) });

test('any number of tasks: all run, in order, and never more than there are places', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 4 }),
			fc.array(task, { maxLength: 20 }),
			async (size, tasks) => {
				const pool = new Pool(size);
				const came: number[] = [];
				const started: number[] = [];
				let running = 0;
				let most = 0;
				const all = tasks.map(async ({ comesAfter, takes }, index) => {
					for (let wait = 0; wait < comesAfter; wait++) await turn();
					came.push(index);
					await pool.enter();
					started.push(index);
					most = Math.max(most, ++running);
					for (let wait = 0; wait < takes; wait++) await turn();
					running--;
					pool.leave();
				});
				await Promise.all(all);
				expect(started).toEqual(came);
				expect(most).toBeLessThanOrEqual(size);
				await pool.drain(); // every place was given back
			},
		),
	);
});

test('a place that is free is taken at once, the next one waits', async () => {
	const pool = new Pool(1);
	const entered: string[] = [];
	const enter = async (name: string) => {
		await pool.enter();
		entered.push(name);
	};
	void enter('first');
	void enter('second');
	await turn();
	expect(entered).toEqual(['first']);
	pool.leave();
	await turn();
	expect(entered).toEqual(['first', 'second']);
});

test('drain waits for those under way', async () => {
	const pool = new Pool(2);
	await pool.enter();
	let drained = false;
	void pool.drain().then(() => (drained = true));
	await turn();
	expect(drained).toBe(false);
	pool.leave();
	await turn();
	expect(drained).toBe(true);
});

test('a pool that grows lets the first who wait in', async () => {
	const pool = new Pool(4);
	let entered = 0;
	for (let task = 0; task < 20; task++) void pool.enter().then(() => entered++);
	await turn();
	expect([entered, pool.queued, pool.isFull]).toEqual([4, 16, true]);
	for (const [places, expected] of [
		[6, 6],
		[5, 6],
	] as const) {
		pool.growTo(places);
		await turn();
		expect([entered, pool.queued, pool.size]).toEqual([expected, 20 - expected, 6]);
	}
	for (let task = 0; task < 20; task++) pool.leave();
	expect(pool.isFull).toBe(false);
	pool.growTo(7);
	await pool.drain();
	expect(pool.isFull).toBe(true);
});
