import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';

import { Lanes } from '../../../nodes/MessagingGateway/run/concurrency';

interface Task {
	lanes: string[];
	ticks: number;
}

/** Runs all tasks; says in which order they began and what ran beside what. */
async function run(tasks: Task[]) {
	const lanes = new Lanes();
	const running = new Set<number>();
	const began: number[] = [];
	const together: Array<[number, number]> = [];
	await Promise.all(
		tasks.map(async (task, index) => {
			await lanes.run(task.lanes, async () => {
				began.push(index);
				running.forEach((other) => together.push([other, index]));
				running.add(index);
				for (let wait = 0; wait < task.ticks; wait++) await turn();
				running.delete(index);
			});
		}),
	);
	return { began, together, lanes };
}

const share = (a: Task, b: Task) => a.lanes.some((lane) => b.lanes.includes(lane));

test('tasks that share a lane run one after the other, in the order they came', async () => {
	const lanes = fc.subarray(['a', 'b', 'c', 'd']);
	const task = fc.record<Task>({ lanes, ticks: fc.nat(3) });
	await fc.assert(
		fc.asyncProperty(fc.array(task, { maxLength: 12 }), async (tasks) => {
			const { began, together, lanes: used } = await run(tasks);
			expect(began).toHaveLength(tasks.length);
			for (const [a, b] of together) expect(share(tasks[a]!, tasks[b]!)).toBe(false);
			tasks.forEach((first, a) =>
				tasks.slice(a + 1).forEach((second, offset) => {
					if (share(first, second)) {
						expect(began.indexOf(a)).toBeLessThan(began.indexOf(a + 1 + offset));
					}
				}),
			);
			expect(used).toEqual(new Lanes()); // no lane is kept that nobody waits in
		}),
	);
});

test('who comes after the end of the first waits for the second', async () => {
	const lanes = new Lanes();
	const order: string[] = [];
	let end = () => {};
	const first = lanes.run(['a'], async () => void order.push('first'));
	const second = lanes.run(
		['a'],
		async () => await new Promise<void>((resolve) => (end = resolve)),
	);
	await first;
	await turn();
	const third = lanes.run(['a'], async () => void order.push('third'));
	await turn();
	expect(order).toEqual(['first']);
	end();
	await Promise.all([second, third]);
	expect(order).toEqual(['first', 'third']);
});

test('a task that nothing is before starts at once, and its failure keeps nobody waiting', async () => {
	const lanes = new Lanes();
	const order: string[] = [];
	const failing = lanes.run(['a'], async () => {
		order.push('first');
		throw new Error('failed');
	});
	expect(order).toEqual(['first']);
	const second = lanes.run(['a'], async () => void order.push('second'));
	await expect(failing).rejects.toThrow('failed');
	await second;
	expect(order).toEqual(['first', 'second']);
});

test('tasks of other lanes, or of none, do not wait', async () => {
	const { together } = await run([
		{ lanes: ['a'], ticks: 3 },
		{ lanes: ['b'], ticks: 1 },
		{ lanes: [], ticks: 1 },
		{ lanes: ['a'], ticks: 1 },
	]);
	const pairs = together.map((pair) => pair.sort().join());
	expect(pairs.sort()).toEqual(['0,1', '0,2', '1,2']);
});

test('who is in a hurry does not wait, and those behind still do', async () => {
	const lanes = new Lanes();
	const order: string[] = [];
	let end = () => {};
	const first = lanes.run(['a'], async () => await new Promise<void>((resolve) => (end = resolve)));
	await turn();
	await lanes.run(['a'], async () => void order.push('second'), Promise.resolve());
	const third = lanes.run(['a'], async () => void order.push('third'));
	await turn();
	expect(order).toEqual(['second']);
	end();
	await Promise.all([first, third]);
	await turn();
	expect(order).toEqual(['second', 'third']);
	expect(lanes).toEqual(new Lanes());
});
