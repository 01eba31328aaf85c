import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Calls } from '../../../../nodes/gateway/pacing/calls';
import { Abort } from '../../../../nodes/gateway/pacing/abort';
import type { Fate, Job } from '../../../../nodes/MessagingGateway/run/job';
import { DryRunKeys } from '../../../../nodes/MessagingGateway/run/keys/dryRunKeys';
import { toKey } from '../../../../nodes/MessagingGateway/run/keys/keyStore';
import { RunKeys } from '../../../../nodes/MessagingGateway/run/keys/runKeys';
import { makeContext, node } from '../../../../tools/shared/context';
import { afterCalls, Store } from '../../support/store';

/** Calls at once, with what is asked in the same moment. */
const flow = {
	async ask<Q, A>(calls: Calls<Q, A>, question: Q): Promise<A> {
		const answer = calls.ask(question);
		void calls.flush();
		return await answer;
	},
};

const key = { key: 'a', recipient: '1' };
const fateOf = (kind: string): Fate => (kind === 'notStarted' ? kind : ({ kind } as never as Fate));

test('keys of other workflows, nodes and scopes have other lanes, however alike they look', () => {
	const laneIn = (workflow: string, id: string, more: object = {}) => {
		const context = { ...makeContext({ node: { id } }), getWorkflow: () => ({ id: workflow }) };
		const keys = new RunKeys(context as IExecuteFunctions, undefined, flow, new Abort());
		return keys.laneOf({ ...key, ...more });
	};
	const lanes = [
		...[laneIn('1', node.id), laneIn('2', node.id), laneIn('1', 'node-2')],
		...[laneIn('1', node.id, { scope: 'keyAndNumber' }), laneIn('1', node.id, { key: 'b' })],
	];
	expect(new Set(lanes).size).toBe(5);
	expect(laneIn('1', node.id, { recipient: '2' })).toBe(lanes[0]);
});

test.each<[string | undefined, object, object | undefined]>([
	[undefined, {}, { key: 'a', scope: 'key' }],
	['key', {}, { key: 'a', scope: 'key' }],
	['keyAndNumber', {}, { key: 'a 55', scope: 'keyAndNumber' }],
	['keyAndNumber', { deduplicationKey: '' }, undefined],
])('once per %s, an item with %j uses up %j', (deduplicationScope, more, used) => {
	const request = { deduplicationKey: 'a', deduplicationScope, recipient: '55', ...more };
	const asked = toKey({ request, timeoutMs: 7 } as never as Job);
	expect(asked).toEqual(used && { recipient: '55', timeoutMs: 7, ...used });
});

describe('in a dry run', () => {
	const stored = { read: jest.fn(async () => 'unanswered' as const), laneOf: () => 'lane' };

	test.each<[string, string, string]>([
		['accepted', '1', 'accepted'],
		['accepted', '2', 'elsewhere'],
		...['refused', 'withheld', 'skipped', 'notStarted'].map((kind): [string, string, string] => [
			kind,
			'1',
			'unanswered',
		]),
	])('after one that would be %s, the key of %s is %s', async (kind, recipient, expected) => {
		const keys = new DryRunKeys(makeContext(), stored);
		expect(await keys.claim(key)).toBe('unanswered'); // as the store says
		keys.end(key, fateOf(kind));
		expect(await keys.claim({ ...key, recipient })).toBe(expected);
		expect(await keys.read({ ...key, recipient })).toBe(expected);
	});

	test.each([
		['a later run, as in a loop', 1, {}, 'accepted'],
		['the next try of this run', 0, {}, 'unanswered'],
		['another call of a tool', 0, { type: 'messagingGatewayTool' }, 'accepted'],
	])('for %s, a key that it would use is as in a real one', async (_, run, type, expected) => {
		const context = makeContext({ node: type });
		new DryRunKeys(context, stored).end(key, fateOf('accepted'));
		const later = { ...context, getWorkflowDataProxy: () => ({ $runIndex: run }) };
		const keys = new DryRunKeys(later as never as IExecuteFunctions, stored);
		expect(await keys.claim(key)).toBe(expected);
	});
});

describe('a workflow that keeps the keys', () => {
	let calls: string[];
	/** What the workflow answers to a claim; default: fresh. */
	let states: object[];
	let held: Promise<unknown>;
	let abort: Abort;
	beforeEach(() => {
		[calls, states, held, abort] = [[], [], Promise.resolve(), new Abort()];
	});

	const makeRun = (name = 'first', stop = abort) => {
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
		return new RunKeys(context, workflow, flow, stop);
	};
	const makeRuns = () => [makeRun('first'), makeRun('second')] as [RunKeys, RunKeys];

	test('is called by each run separately', async () => {
		const claims = makeRuns().map(async (each) => await each.claim(key));
		expect(await Promise.all(claims)).toEqual(['fresh', 'fresh']);
		expect(calls).toEqual(['first claim', 'second claim']);
	});

	test.each([
		['accepted', ['first accept']],
		['unknown', []],
		['asked', []],
		['refused', ['first release']],
		['withheld', ['first release']],
		['skipped', ['first release']],
		['notStarted', ['first release']],
	])('learns of a claim whose message was %s: %j', async (kind, told) => {
		const [run, other] = makeRuns();
		await run.claim(key);
		for (const one of [other, run, run]) one.end(key, fateOf(kind)); // once, by its own run
		await afterCalls();
		expect(calls).toEqual(['first claim']); // an end waits for the next call, or the end of the run
		await Promise.all([run.close(), other.close()]);
		expect(calls).toEqual(['first claim', ...told]);
	});

	test('gets the end of a claim before another run claims the key', async () => {
		const [first, second] = makeRuns();
		await first.claim(key);
		let store = () => {};
		held = new Promise<void>((resolve) => (store = resolve));
		first.end(key, fateOf('refused'));
		const claimed = second.claim(key);
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
			const claim = makeRun().claim(patient);
			await jest.advanceTimersByTimeAsync(200 + 400 + 10);
			expect(await claim).toBe(expected);
			expect(calls).toHaveLength(3);
		});

		test('is in doubt once its request has timed out, whatever the store says', async () => {
			states = Array.from({ length: 20 }, () => young);
			const claim = makeRun().claim({ ...key, timeoutMs: 300 });
			await jest.advanceTimersByTimeAsync(200 + 400 + 10);
			expect(await claim).toBe('unanswered');
			expect(calls).toHaveLength(3);
		});

		test('does not keep a stop waiting', async () => {
			states = Array.from({ length: 20 }, () => young);
			const claim = makeRun().claim(patient);
			await jest.advanceTimersByTimeAsync(10);
			abort.stop();
			expect(await claim).toBe('unanswered');
			expect(calls).toHaveLength(1);
		});
	});
});

describe('the count of keys', () => {
	let data: IDataObject;
	let table: Store;
	beforeEach(() => ([data, table] = [{}, new Store()]));

	const makeRun = (run: number, type = 'messagingGateway', execution: string | undefined = '1') => {
		const context = {
			...makeContext({ node: { type }, deduplication: table.helpers }),
			getExecutionId: () => execution,
			getContext: () => data,
			getWorkflowDataProxy: () => ({ $runIndex: run }),
		} as never as IExecuteFunctions;
		return new RunKeys(context, undefined, flow, new Abort());
	};
	/** Claims keys; returns how many the execution had before. */
	const use = async (run: RunKeys, from: number, count: number) => {
		const earlier = run.countWith(0);
		const names = Array.from({ length: count }, (_, index) => `counted ${from + index}`);
		await Promise.all(names.map(async (name) => await run.claim({ key: name, recipient: '1' })));
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
		run.end({ key: 'counted 1', recipient: '1' }, fateOf('refused'));
		run.end({ key: 'counted 0', recipient: '1' }, fateOf('accepted'));
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
