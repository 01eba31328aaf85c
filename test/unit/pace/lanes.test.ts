import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { Lanes } from '../../../nodes/pace/lanes';

const never = new Promise<void>(() => {});

test('a task waits for those before it in its lanes, for no others, and not at all if it is hurried', async () => {
	const task = fc.record({
		lanes: fc.subarray(['a', 'b', 'c', 'd']),
		comesAfter: fc.nat(5),
		takes: fc.nat(3),
		fails: fc.boolean(),
		isHurried: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(task, { maxLength: 12 }), async (tasks) => {
			const lanes = new Lanes();
			const came = new Set<(typeof tasks)[number]>();
			const ended = new Set<(typeof tasks)[number]>();
			const run = async (each: (typeof tasks)[number]) => {
				for (let wait = 0; wait < each.comesAfter; wait++) await turn();
				const before = [...came].filter((other) =>
					other.lanes.some((lane) => each.lanes.includes(lane)),
				);
				came.add(each);
				let hasBegun = false;
				const perform = async () => {
					hasBegun = true;
					expect(each.isHurried || before.every((other) => ended.has(other))).toBe(true);
					for (let wait = 0; wait < each.takes; wait++) await turn();
					ended.add(each);
					if (each.fails) throw new Error('failed');
				};
				const done = lanes.run(each.lanes, perform, each.isHurried ? Promise.resolve() : never);
				expect(hasBegun || before.length > 0).toBe(true);
				const what = await done.catch(({ message }: Error) => message);
				expect(what).toBe(each.fails ? 'failed' : undefined);
				// Who comes behind one that was hurried still waits for those before it.
				do await turn();
				while (before.some((other) => came.has(other)));
				came.delete(each); // nobody waits for it any more
			};
			await Promise.all(tasks.map(run));
			expect(lanes).toEqual(new Lanes()); // empty lanes are removed
		}),
	);
});
