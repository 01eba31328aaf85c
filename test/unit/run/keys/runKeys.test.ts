import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { RunKeys } from '../../../../nodes/MessagingGateway/run/keys/runKeys';
import { Pool } from '../../../../nodes/MessagingGateway/run/pool';
import { makeContext, node } from '../../support/context';
import { afterCalls, Store } from '../../support/store';

let clock = 0; // ms
let storeTakesMs = 0;
let table: Store;
let places: Pool;
let ahead: Pool;
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
	[places, ahead] = [new Pool(4), new Pool(8)];
	keys = new RunKeys(makeContext({ deduplication }), undefined, places, ahead);
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
		return new RunKeys(context as IExecuteFunctions, undefined, places, ahead).laneOf('a');
	};
	const lanes = [laneIn('1', node.id), laneIn('2', node.id), laneIn('1', 'node-2')];
	expect(new Set(lanes).size).toBe(3);
	expect(laneIn('1', node.id)).toBe(lanes[0]);
});

describe('a workflow that keeps the keys', () => {
	let calls: string[];
	beforeEach(() => (calls = []));

	/** Two runs, each with a message under way. */
	const makeRuns = () =>
		['first', 'second'].map((name) => {
			const context = {
				...makeContext(),
				executeWorkflow: async (_: unknown, items: INodeExecutionData[]) => {
					calls.push(...items.map(({ json }) => `${name} ${String(json.action)}`));
					const told = items.map(({ json }) => ({ json: { key: json.key, state: 'fresh' } }));
					return { executionId: name, data: [told] };
				},
			} as never as IExecuteFunctions;
			const busy = new Pool(2);
			void busy.enter();
			return new RunKeys(context, { id: 'w-1', name: 'Keys' }, busy, new Pool(1));
		}) as [RunKeys, RunKeys];
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
});
