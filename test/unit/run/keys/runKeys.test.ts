import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { RunKeys } from '../../../../nodes/MessagingGateway/run/keys/runKeys';
import { Pool } from '../../../../nodes/MessagingGateway/run/pool';
import { Halt } from '../../../../nodes/gateway/pacing/abort';
import { makeContext, node } from '../../../../testing/context';
import { afterCalls, Store } from '../../support/store';

let clock = 0; // ms
let storeTakesMs = 0;
let table: Store;
let places: Pool;
let ahead: Pool;
let halt: Halt;
let keys: RunKeys;

beforeEach(() => {
	[clock, storeTakesMs] = [5_000, 0];
	jest.spyOn(Date, 'now').mockImplementation(() => clock);
	table = new Store();
	const { checkProcessedAndRecord } = table.helpers;
	const deduplication = {
		...table.helpers,
		async checkProcessedAndRecord(...given: Parameters<typeof checkProcessedAndRecord>) {
			clock += storeTakesMs;
			return await checkProcessedAndRecord(...given);
		},
	};
	[places, ahead, halt] = [new Pool(4), new Pool(8), new Halt()];
	keys = new RunKeys(makeContext({ deduplication }), undefined, places, ahead, halt);
});
afterEach(() => jest.restoreAllMocks());

let claimed = 0;
/** Claims a key of its own; says whether that is told by now. */
async function claim() {
	const told = { claim: '' };
	void keys
		.claim({ key: `key-${++claimed}`, recipient: '5511912345678' })
		.then((each) => (told.claim = each));
	await afterCalls();
	return told;
}

const fresh = { claim: 'fresh' };
const waiting = { claim: '' };

/** So many messages under way, and so many that wait for their place. */
async function occupy(count: number) {
	for (let task = 0; task < count; task++) void places.enter();
	await afterCalls();
}

test('a claim that nothing else can be sent before is made at once', async () => {
	expect(await claim()).toEqual(fresh);
	await occupy(5);
	expect(await claim()).toEqual(fresh);
});

test('while half as many messages as there are places wait to be sent, claims are gathered', async () => {
	await occupy(6);
	const claims = [await claim(), await claim()];
	expect(claims).toEqual([waiting, waiting]);
	expect(table.calls).toBe(0);

	places.leave();
	keys.flushIfNeeded();
	await afterCalls();
	expect(claims).toEqual([fresh, fresh]);
	expect(table.calls).toBe(1);
});

test('the end of a claim goes with the next claim, or once nothing is under way', async () => {
	const ended = { key: 'ended', recipient: '5511912345678', ending: 'accepted' } as const;
	await occupy(1);
	await claim();
	void keys.end(ended);
	await afterCalls();
	expect(table.calls).toBe(1);
	await claim();
	expect(table.calls).toBe(2);

	const end = keys.end(ended);
	await afterCalls();
	expect(table.calls).toBe(2);
	places.leave();
	keys.flushIfNeeded();
	await end;
	expect(table.calls).toBe(3);
});

test('the end of a claim and the next claim of its key go in one call', async () => {
	const key = { key: 'twice', recipient: '5511912345678' };
	await keys.claim(key);
	const update = jest.spyOn(keys.store, 'update');
	await occupy(1);
	void keys.end({ ...key, ending: 'accepted' });
	expect(await keys.claim(key)).toBe('accepted');
	expect(update).toHaveBeenCalledTimes(1);
});

describe('a store that takes more than a tenth of the time', () => {
	beforeEach(async () => {
		storeTakesMs = 50;
		await claim();
		clock = 5_400;
	});

	test('is called when no more items may be read ahead, and then more may be', async () => {
		const claims = [await claim()];
		for (let item = 0; item < 8; item++) await ahead.enter();
		expect(claims).toEqual([waiting]);
		claims.push(await claim());
		expect(claims).toEqual([fresh, fresh]);
		expect(ahead.size).toBe(12);

		for (let time = 0; time < 30; time++) {
			while (!ahead.isFull) await ahead.enter();
			clock = 5_400;
			await claim();
		}
		expect(ahead.size).toBe(4 * 20);
	});

	test('is called when no more items are left to be read', async () => {
		const last = await claim();
		expect(last).toEqual(waiting);
		keys.finish();
		await afterCalls();
		expect(last).toEqual(fresh);
		expect(ahead.size).toBe(8);
	});
});

test('a store that takes a tenth of the time or less is not waited for with more items', async () => {
	storeTakesMs = 30;
	await claim();
	for (clock of [5_400, 5_600]) {
		expect(await claim()).toEqual(fresh);
		expect(ahead.size).toBe(8);
	}
});

test('keys of other workflows and nodes are others', () => {
	const laneIn = (workflow: string, id: string) => {
		const context = { ...makeContext({ node: { id } }), getWorkflow: () => ({ id: workflow }) };
		return new RunKeys(context as IExecuteFunctions, undefined, places, ahead, new Halt()).laneOf(
			'a',
		);
	};
	const lanes = [laneIn('1', node.id), laneIn('2', node.id), laneIn('1', 'node-2')];
	expect(new Set(lanes).size).toBe(3);
	expect(laneIn('1', node.id)).toBe(lanes[0]);
});

describe('a workflow that keeps the keys', () => {
	let calls: string[];
	/** What the workflow answers to a claim; default: fresh. */
	let states: object[];
	let held: Promise<unknown>;
	beforeEach(() => {
		[calls, states, held] = [[], [], Promise.resolve()];
		jest.restoreAllMocks(); // the real clock
	});

	/** A run with a message under way. */
	const makeRun = (name = 'first', stop = new Halt(), busy = new Pool(2)) => {
		const context = {
			...makeContext(),
			executeWorkflow: async (_: unknown, items: INodeExecutionData[]) => {
				calls.push(...items.map(({ json }) => `${name} ${String(json.action)}`));
				await held;
				const told = items.map(({ json }) => ({
					json: { key: json.key, ...(states.shift() ?? { state: 'fresh' }) },
				}));
				return { executionId: name, data: [told] };
			},
		} as never as IExecuteFunctions;
		void busy.enter();
		const run = new RunKeys(context, { id: 'w-1', name: 'Keys' }, busy, new Pool(1), stop);
		run.finish();
		return run;
	};
	const makeRuns = () => [makeRun('first'), makeRun('second')] as [RunKeys, RunKeys];
	const key = { key: 'a', recipient: '1' };

	test('is called by each run for itself', async () => {
		const claims = makeRuns().map(async (each) => await each.claim(key));
		expect(await Promise.all(claims)).toEqual(['fresh', 'fresh']);
		expect(calls).toEqual(['first claim', 'second claim']);
	});

	test('is told by one run of the end of a claim before another one claims the key', async () => {
		const [first, second] = makeRuns();
		await first.claim(key);
		const end = first.end({ ...key, ending: 'released' });
		await second.claim(key);
		await end;
		expect(calls).toEqual(['first claim', 'first release', 'second claim']);
		expect(RunKeys).toHaveProperty('endings', new Map()); // none is kept
	});

	describe('a key that another worker has just claimed', () => {
		const young = { state: 'unanswered', age: 0 };
		const patient = { ...key, timeoutMs: 60_000 };

		test.each([
			[{ state: 'accepted' }, 'accepted'],
			[{ state: 'fresh' }, 'fresh'], // it was refused there
			[{ state: 'unanswered', age: 61 }, 'unanswered'],
			[{ state: 'unanswered' }, 'unanswered'],
		] as const)('is asked about again until it is %j', async (last, told) => {
			states = [young, { state: 'unanswered', age: '1' }, last];
			expect(await makeRun().claim(patient)).toBe(told);
			expect(calls).toHaveLength(3);
		});

		test('is in doubt where its request can have no answer any more, whatever the store says', async () => {
			states = Array.from({ length: 20 }, () => young);
			expect(await makeRun().claim({ ...key, timeoutMs: 300 })).toBe('unanswered');
			expect(calls.length).toBeGreaterThan(1);
			expect(calls.length).toBeLessThan(5);
		});

		test('does not keep a stop waiting', async () => {
			states = Array.from({ length: 20 }, () => young);
			const claim = makeRun('first', halt).claim(patient);
			await afterCalls();
			halt.stop();
			expect(await claim).toBe('unanswered');
			expect(calls).toHaveLength(1);
		});
	});

	test('is asked no more by a run that it did not answer, but told what became of messages', async () => {
		const busy = new Pool(2);
		const run = makeRun('first', halt, busy);
		await run.claim(key);
		busy.leave();
		const timeout = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
		held = new Promise(() => {});
		const silent = [run.claim({ key: 'b', recipient: '2' })];
		await afterCalls();
		silent.push(run.claim({ key: 'c', recipient: '3' })); // waits for the next call
		timeout.abort();
		for (const claim of silent) await expect(claim).rejects.toThrow('took longer than 60 seconds');
		jest.restoreAllMocks();
		held = Promise.resolve();
		await expect(run.claim({ key: 'd', recipient: '4' })).rejects.toThrow('took longer');
		await run.end({ ...key, ending: 'accepted' });
		expect(calls).toEqual(['first claim', 'first claim', 'first accept']);
	});
});

describe('the count of keys', () => {
	let data: IDataObject;
	beforeEach(() => (data = {}));

	const makeRun = (run: number, type = 'messagingGateway', execution: string | undefined = '1') => {
		const context = {
			...makeContext({ node: { type }, deduplication: table.helpers }),
			getExecutionId: () => execution,
			getContext: () => data,
			getWorkflowDataProxy: () => ({ $runIndex: run }),
		} as never as IExecuteFunctions;
		return new RunKeys(context, undefined, places, ahead, halt);
	};
	/** Claims so many keys; says how many the execution had before. */
	const use = async (run: RunKeys, from: number, count: number) => {
		const earlier = run.countWith(0);
		const names = Array.from({ length: count }, (_, index) => `counted ${from + index}`);
		await Promise.all(names.map(async (name) => await run.claim({ key: name, recipient: '1' })));
		return earlier;
	};

	test('goes over all runs of a loop; what was there before adds nothing', async () => {
		expect(await use(makeRun(0), 0, 5)).toBe(0);
		expect(await use(makeRun(1), 5, 5)).toBe(5);
		expect(await use(makeRun(2), 0, 10)).toBe(10);
		expect(await use(makeRun(3), 10, 1)).toBe(10);
		expect(makeRun(4).countWith(3)).toBe(14);
	});

	test('counts a run once, however often it is tried', async () => {
		expect(await use(makeRun(0), 0, 5)).toBe(0);
		expect(await use(makeRun(1), 5, 5)).toBe(5);
		data = JSON.parse(JSON.stringify(data)) as IDataObject; // n8n's Retry starts with what it saved
		expect(await use(makeRun(1), 5, 6)).toBe(5);
		expect(await use(makeRun(2), 0, 0)).toBe(11);
	});

	test('leaves out a key that is free again', async () => {
		const run = makeRun(0);
		await use(run, 0, 2);
		await run.end({ key: 'counted 1', recipient: '1', ending: 'released' });
		await run.end({ key: 'counted 0', recipient: '1', ending: 'accepted' });
		expect(makeRun(1).countWith(0)).toBe(1);
	});

	test('goes over the calls of a tool, which have one run and may overlap', async () => {
		const calls = [0, 1, 2].map(() => makeRun(0, 'messagingGatewayTool'));
		await Promise.all(calls.map(async (call, index) => await use(call, index, 1)));
		expect(makeRun(0, 'messagingGatewayTool').countWith(0)).toBe(3);
	});

	test('touches nothing else that is kept there, and needs no execution', async () => {
		data = { other: 'kept' };
		await use(makeRun(0), 0, 1);
		expect(data).toMatchObject({ other: 'kept' });
		expect(await use(makeRun(0, 'messagingGatewayTool', ''), 1, 1)).toBe(0);
	});
});
