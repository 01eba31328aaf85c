import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { BatchQueue } from '../../../nodes/pace/batchQueue';
import { Lanes } from '../../../nodes/pace/lanes';
import { Pool } from '../../../nodes/pace/pool';
import { afterCalls } from '../support/store';

const never = new Promise<void>(() => {});

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
					const leave = await pool.take(never);
					started.push(index);
					most = Math.max(most, ++running);
					for (let wait = 0; wait < takes; wait++) await turn();
					running--;
					leave();
				});
				await Promise.all(all);
				expect(started).toEqual(came);
				expect(most).toBeLessThanOrEqual(size);
				expect(pool).toEqual(new Pool(size)); // every place was given back
			},
		),
	);
});

test('one that grows lets in those who waited longest; one that shrinks puts nobody out', async () => {
	const pool = new Pool(4);
	const entered: number[] = [];
	const leave: Array<() => void> = [];
	for (let task = 0; task < 20; task++) {
		void pool.take(never).then((leavePlace) => {
			entered.push(task);
			leave.push(leavePlace);
		});
	}
	const expectIn = async (count: number, taken = count) => {
		await turn();
		expect(entered).toEqual(Array.from({ length: count }, (_, task) => task));
		expect(pool.taken).toBe(taken);
	};
	await expectIn(4);
	pool.resize(6);
	await expectIn(6);
	pool.resize(2);
	await expectIn(6);
	for (let task = 0; task < 4; task++) leave[task]!();
	await expectIn(6, 2);
	leave[4]!();
	await expectIn(7, 2);
});

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

describe('calls', () => {
	let made: string[][];
	/** Lets the call under way return, or fail. */
	let end: (failure?: Error) => void;
	let calls: BatchQueue<string, string>;

	beforeEach(() => {
		made = [];
		calls = new BatchQueue(async (questions) => {
			made.push(questions);
			await new Promise<void>((resolve, reject) => {
				end = (failure) => (failure ? reject(failure) : resolve());
			});
			return questions.map((each) => (each === 'bad' ? new Error('Not that') : `${each}!`));
		});
	});

	/** Asks each question; gives the answers so far, a failure as its message. */
	function ask(...questions: string[]): string[] {
		const answers: string[] = [];
		for (const each of questions) {
			const asked = calls.ask(each).catch(({ message }: Error) => message);
			void asked.then((answer) => answers.push(answer));
		}
		return answers;
	}

	test('questions of one moment share a call, with those that waited for it; those asked meanwhile share the next', async () => {
		void calls.add('end');
		await afterCalls();
		expect(made).toEqual([]);
		const answers = ask('a', 'b');
		await afterCalls();
		ask('c');
		void calls.add('d');
		await afterCalls();
		expect(made).toEqual([['end', 'a', 'b']]);
		end();
		await afterCalls();
		void calls.add('e'); // alone, it gets no call
		end();
		await afterCalls();
		expect([made.slice(1), answers]).toEqual([[['c', 'd']], ['a!', 'b!']]);
	});

	test.each([
		['one of them, alone', undefined, ['a!', 'Not that', 'b!']],
		['the whole call, all of them', new Error('Down'), ['Down', 'Down', 'Down']],
	])('a failure is the answer to: %s; and the next call is made', async (_, failure, expected) => {
		for (let time = 0; time < 2; time++) {
			const answers = ask('a', 'bad', 'b');
			const flushed = calls.flush();
			await afterCalls();
			end(failure);
			await flushed;
			await turn();
			expect(answers).toEqual(expected);
		}
		expect(made).toHaveLength(2);
	});

	test('a flush ends when no call is under way any more, at once if nothing waits', async () => {
		let ended = 0;
		const flush = () => void calls.flush().then(() => ended++);
		flush();
		await turn();
		expect([ended, made]).toEqual([1, []]);
		ask('a');
		flush();
		await afterCalls();
		flush(); // nothing waits, but a call is under way
		await afterCalls();
		expect(ended).toBe(1);
		end();
		await afterCalls();
		flush();
		await turn();
		expect([ended, made]).toEqual([4, [['a']]]);
	});
});
