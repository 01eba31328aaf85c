import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';

import { Pool } from '../../../../nodes/gateway/pacing/queues';

test('runs any number of tasks in order, never more at a time than there are places', async () => {
	const task = fc.record({ comesAfter: fc.nat(5), takes: fc.nat(3) });
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
				expect([pool.taken, pool.queued]).toEqual([0, 0]); // every place was given back
			},
		),
	);
});

test('one that grows lets in those who waited longest; one that shrinks puts nobody out', async () => {
	const pool = new Pool(4);
	const entered: number[] = [];
	for (let task = 0; task < 20; task++) void pool.enter().then(() => entered.push(task));
	const expectIn = async (count: number, taken = count) => {
		await turn();
		expect(entered).toEqual(Array.from({ length: count }, (_, task) => task));
		expect([pool.taken, pool.queued]).toEqual([taken, 20 - count]);
	};
	await expectIn(4);
	pool.resize(6);
	await expectIn(6);
	pool.resize(2);
	await expectIn(6);
	for (let task = 0; task < 4; task++) pool.leave();
	await expectIn(6, 2);
	pool.leave();
	await expectIn(7, 2);
});
