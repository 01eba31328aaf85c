import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { RunKeys } from '../../../../nodes/MessagingGateway/run/keys/runKeys';
import { Pool } from '../../../../nodes/MessagingGateway/run/concurrency';
import { Abort } from '../../../../nodes/gateway/pacing/abort';
import { makeContext, node } from '../../../../tools/shared/context';
import { afterCalls, Store } from '../../support/store';

let table: Store;
let places: Pool;
let ahead: Pool;
let abort: Abort;
let keys: RunKeys;

beforeEach(() => {
	table = new Store();
	[places, ahead, abort] = [new Pool(4), new Pool(8), new Abort()];
	keys = new RunKeys(
		makeContext({ deduplication: table.helpers }),
		undefined,
		places,
		ahead,
		abort,
	);
});
afterEach(async () => {
	await keys.close();
	jest.restoreAllMocks();
});

let claimed = 0;
/** Claims or reads new keys; returns the answers so far. */
async function ask(how: 'claim' | 'read', count: number) {
	const states: string[] = [];
	for (let each = 0; each < count; each++) {
		const key = { key: `key-${++claimed}`, recipient: '5511912345678' };
		void keys.ask(how, key).then((state) => states.push(state));
	}
	await afterCalls();
	return states;
}
const claim = async (count = 1) => await ask('claim', count);

/** Takes this many places; those beyond the limit wait. */
async function occupy(count: number) {
	for (let task = 0; task < count; task++) void places.enter();
	await afterCalls();
}

/** Fills what may be read ahead, so that the next item waits. */
function stopReading() {
	while (!ahead.isFull) void ahead.enter();
	void ahead.enter();
	keys.noteReading();
}

describe('claims', () => {
	test('are made at once while no items are being read', async () => {
		expect(await claim()).toEqual(['fresh']);
		keys.noteReading();
		keys.finish();
		expect(await claim()).toEqual(['fresh']);
	});

	test('wait for as many keys as there are places while items are being read', async () => {
		keys.noteReading();
		const states = await claim(3);
		expect(states).toEqual([]);
		expect(await claim()).toEqual(['fresh']);
		expect(states).toHaveLength(3);
		expect(table.calls).toBe(1);
	});

	test('wait no longer once the last item has been read', async () => {
		keys.noteReading();
		const states = await claim(3);
		await occupy(5);
		keys.finish();
		await afterCalls();
		expect(states).toHaveLength(3);
	});

	test('wait while no more items can be read, as long as messages wait to be sent', async () => {
		await occupy(5);
		keys.noteReading();
		const states = await claim();
		stopReading();
		await afterCalls();
		expect(states).toEqual([]);
		places.leave();
		keys.noteFree();
		await afterCalls();
		expect(states).toEqual(['fresh']);
	});
});

test('reads are batched as claims are, and the batch grows each time', async () => {
	keys.noteReading();
	const first = claimed;
	expect(await ask('read', 3)).toEqual([]);
	keys.finish();
	await afterCalls();
	expect(ahead.size).toBeGreaterThan(8); // no message is sent that would take time
	claimed = first;
	expect(await ask('read', 4)).toEqual(['fresh', 'fresh', 'fresh', 'fresh']); // none was claimed
});

describe('the number of items read ahead', () => {
	/** A request ends during a call to the store. */
	const freeDuringCall = async () => {
		void claim();
		keys.noteFree();
		await afterCalls();
	};

	test('doubles when a place is free during a call, up to 20 per place', async () => {
		for (const expected of [16, 32, 64, 80, 80]) {
			await freeDuringCall();
			expect(ahead.size).toBe(expected);
		}
		keys.noteReading();
		expect(await claim(39)).toEqual([]);
		expect(await claim()).toEqual(['fresh']);
	});

	test('stays when messages wait to be sent, or no call is under way', async () => {
		await claim();
		keys.noteFree();
		await occupy(5);
		await freeDuringCall();
		expect(ahead.size).toBe(8);
	});

	test('doubles when a key is known, so that nothing is sent', async () => {
		const key = { key: 'known', recipient: '5511912345678' };
		await keys.ask('claim', key);
		expect(ahead.size).toBe(8);
		expect(await keys.ask('claim', key)).toBe('unanswered');
		expect(ahead.size).toBe(16);
	});
});

test('the end of a claim goes with the next claim, even of the same key, or at the end of the run', async () => {
	const key = { key: 'twice', recipient: '5511912345678' };
	await keys.ask('claim', key);
	const update = jest.spyOn(keys.store, 'update');
	keys.end({ ...key, ending: 'accepted' });
	await afterCalls();
	expect(update).not.toHaveBeenCalled();
	expect(await keys.ask('claim', key)).toBe('accepted');
	expect(update).toHaveBeenCalledTimes(1);

	await claim();
	keys.end({ ...key, key: `key-${claimed}`, ending: 'released' });
	await keys.close();
	expect(update).toHaveBeenCalledTimes(3);
});

test('keys of other workflows and nodes have other lanes', () => {
	const laneIn = (workflow: string, id: string) => {
		const context = { ...makeContext({ node: { id } }), getWorkflow: () => ({ id: workflow }) };
		return new RunKeys(context as IExecuteFunctions, undefined, places, ahead, new Abort()).laneOf(
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
	});

	const makeRun = (name = 'first', stop = new Abort()) => {
		const context = {
			...makeContext(),
			executeWorkflow: async (_: unknown, items: INodeExecutionData[]) => {
				calls.push(...items.map(({ json }) => `${name} ${String(json.action)}`));
				await held;
				const outputs = items.map(({ json }) => ({
					json: { key: json.key, ...(states.shift() ?? { state: 'fresh' }) },
				}));
				return { executionId: name, data: [outputs] };
			},
		} as never as IExecuteFunctions;
		const workflow = { id: 'w-1', name: 'Keys' };
		return new RunKeys(context, workflow, new Pool(2), new Pool(4), stop);
	};
	const makeRuns = () => [makeRun('first'), makeRun('second')] as [RunKeys, RunKeys];
	const key = { key: 'a', recipient: '1' };

	test('is called by each run separately', async () => {
		const claims = makeRuns().map(async (each) => await each.ask('claim', key));
		expect(await Promise.all(claims)).toEqual(['fresh', 'fresh']);
		expect(calls).toEqual(['first claim', 'second claim']);
	});

	test('gets the end of a claim before another run claims the key', async () => {
		const [first, second] = makeRuns();
		await first.ask('claim', key);
		let store = () => {};
		held = new Promise<void>((resolve) => (store = resolve));
		first.end({ ...key, ending: 'released' });
		const claimed = second.ask('claim', key);
		await afterCalls();
		expect(calls).toEqual(['first claim', 'first release']);
		store();
		await claimed;
		expect(calls).toEqual(['first claim', 'first release', 'second claim']);
	});

	describe('a key that another worker has just claimed', () => {
		const young = { state: 'unanswered', age: 0 };
		const patient = { ...key, timeoutMs: 60_000 };

		beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
		afterEach(() => jest.useRealTimers());

		test.each([
			[{ state: 'accepted' }, 'accepted'],
			[{ state: 'fresh' }, 'fresh'], // it was refused there
			[{ state: 'unanswered', age: 61 }, 'unanswered'],
			[{ state: 'unanswered' }, 'unanswered'],
		] as const)('is checked again until it is %j', async (last, expected) => {
			states = [young, { state: 'unanswered', age: '1' }, last];
			const claim = makeRun().ask('claim', patient);
			await jest.advanceTimersByTimeAsync(200 + 400);
			expect(await claim).toBe(expected);
			expect(calls).toHaveLength(3);
		});

		test('is in doubt once its request has timed out, whatever the store says', async () => {
			states = Array.from({ length: 20 }, () => young);
			const claim = makeRun().ask('claim', { ...key, timeoutMs: 300 });
			await jest.advanceTimersByTimeAsync(200 + 400);
			expect(await claim).toBe('unanswered');
			expect(calls).toHaveLength(3);
		});

		test('does not keep a stop waiting', async () => {
			states = Array.from({ length: 20 }, () => young);
			const claim = makeRun('first', abort).ask('claim', patient);
			await afterCalls();
			abort.stop();
			expect(await claim).toBe('unanswered');
			expect(calls).toHaveLength(1);
		});
	});

	test('is not asked again after a timeout, but still gets the ends of claims', async () => {
		const run = makeRun('first', abort);
		await run.ask('claim', key);
		const timeout = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
		held = new Promise(() => {});
		const silent = [run.ask('claim', { key: 'b', recipient: '2' })];
		await afterCalls();
		silent.push(run.ask('claim', { key: 'c', recipient: '3' })); // waits for the next call
		timeout.abort();
		for (const claim of silent) await expect(claim).rejects.toThrow('took longer than 60 seconds');
		jest.restoreAllMocks();
		held = Promise.resolve();
		await expect(run.ask('claim', { key: 'd', recipient: '4' })).rejects.toThrow('took longer');
		run.end({ ...key, ending: 'accepted' });
		await run.close();
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
		return new RunKeys(context, undefined, places, ahead, abort);
	};
	/** Claims keys; returns how many the execution had before. */
	const use = async (run: RunKeys, from: number, count: number) => {
		const earlier = run.countWith(0);
		const names = Array.from({ length: count }, (_, index) => `counted ${from + index}`);
		await Promise.all(
			names.map(async (name) => await run.ask('claim', { key: name, recipient: '1' })),
		);
		return earlier;
	};

	test('covers all runs of a loop; known keys add nothing', async () => {
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
		run.end({ key: 'counted 1', recipient: '1', ending: 'released' });
		run.end({ key: 'counted 0', recipient: '1', ending: 'accepted' });
		expect(makeRun(1).countWith(0)).toBe(1);
	});

	test('covers the calls of a tool, which have one run and may overlap', async () => {
		const calls = [0, 1, 2].map(() => makeRun(0, 'messagingGatewayTool'));
		await Promise.all(calls.map(async (call, index) => await use(call, index, 1)));
		expect(makeRun(0, 'messagingGatewayTool').countWith(0)).toBe(3);
	});

	test('leaves the rest of the context alone, and needs no execution', async () => {
		data = { other: 'kept' };
		await use(makeRun(0), 0, 1);
		expect(data).toMatchObject({ other: 'kept' });
		expect(await use(makeRun(0, 'messagingGatewayTool', ''), 1, 1)).toBe(0);
	});
});
