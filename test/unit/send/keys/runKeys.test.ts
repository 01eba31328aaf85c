import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Abort } from '../../../../nodes/pace/abort';
import type { Fate } from '../../../../nodes/send/job';
import { keyOf, type RunKey } from '../../../../nodes/send/keys/keyStore';
import { RunKeys } from '../../../../nodes/send/keys/runKeys';
import { makeContext, node } from '../../../../tools/shared/context';
import { DeduplicationStore } from '../../../../tools/shared/deduplicationStore';
import { afterCalls } from '../../support/store';

let key: RunKey;
beforeEach(() => {
	const account = { timeout: 60_000, deduplicationWorkflowId: 'w-1' };
	key = keyOf({ key: 'a', oncePer: 'key' }, '1', account as never);
});
const fateOf = (kind: string) => ({ kind }) as Fate;

test('keys of other workflows, nodes, stores and scopes have other lanes, however alike they look', () => {
	const laneIn = (workflow: string, id: string, more: object = {}) => {
		const context = { ...makeContext({ node: { id } }), getWorkflow: () => ({ id: workflow }) };
		const keys = new RunKeys(context as IExecuteFunctions, context.getNode(), new Abort());
		return keys.laneOf({ key: 'a', recipient: '1', ...more });
	};
	const lanes = [
		...[laneIn('1', node.id), laneIn('2', node.id), laneIn('1', 'node-2')],
		...[laneIn('1', node.id, { scope: 'keyAndNumber' }), laneIn('1', node.id, { key: 'b' })],
		...[laneIn('1', node.id, { workflow: 'w-1' }), laneIn('1', node.id, { workflow: 'w-2' })],
	];
	expect(new Set(lanes).size).toBe(7);
	expect(laneIn('1', node.id, { recipient: '2' })).toBe(lanes[0]);
});

test("runs of one node take turns at n8n's store, those of others do not wait for them", async () => {
	let answer = () => {};
	const held = new Promise<void>((resolve) => (answer = resolve));
	const calls: string[] = [];
	const claimIn = (id: string) => {
		const context = makeContext({ node: { id } });
		const checkProcessedAndRecord = async (entries: unknown[]) => {
			calls.push(id);
			await held;
			return { new: entries, processed: [] };
		};
		Object.assign(context, { getInstanceId: () => 'instance' });
		Object.assign(context.helpers, { checkProcessedAndRecord });
		return new RunKeys(context, context.getNode(), new Abort()).claim({ key: 'a', recipient: '1' });
	};
	const claims = ['one', 'one', 'other'].map(claimIn);
	await afterCalls();
	claims.push(claimIn('one'));
	await afterCalls();
	expect(calls).toEqual(['one', 'other']);
	answer();
	await Promise.all(claims);
	expect(calls).toEqual(['one', 'other', 'one']);
});

test('a run ends once its own ends are stored, however long others keep the store busy', async () => {
	const deduplication = new DeduplicationStore(async () => await wait(3)).helpers();
	const makeRun = () => {
		const context = makeContext({ node: { id: 'busy' }, deduplication });
		return new RunKeys(context, context.getNode(), new Abort());
	};
	const [run, other] = [makeRun(), makeRun()];
	key = { key: 'a', recipient: '1' };
	await run.claim(key);
	run.endClaim(key, fateOf('accepted'));
	let asked = 0;
	const closed = run.close().then(() => asked);
	const claims: Array<Promise<unknown>> = [];
	for (; asked < 100; asked++) {
		claims.push(other.claim({ key: `b ${asked}`, recipient: '1' }));
		await wait(1);
	}
	expect(await closed).toBeLessThan(50);
	await Promise.all(claims);
});

describe('a workflow that keeps the keys', () => {
	let calls: string[];
	let inputs: IDataObject[];
	/** What the workflow answers to a claim; default: fresh. */
	let states: object[];
	let held: Promise<unknown>;
	let abort: Abort;
	beforeEach(() => {
		[calls, inputs, states, held, abort] = [[], [], [], Promise.resolve(), new Abort()];
	});

	const makeRun = (name = 'first', stop = abort) => {
		const context = {
			...makeContext(),
			executeWorkflow: async (_: unknown, items: INodeExecutionData[]) => {
				calls.push(...items.map(({ json }) => `${name} ${String(json.action)}`));
				inputs.push(...items.map(({ json }) => json));
				await held;
				const stateOf = () => states.shift() ?? { state: 'fresh' };
				const outputs = items.map(({ json }) => ({ json: { key: json.key, ...stateOf() } }));
				return { executionId: name, data: [outputs] };
			},
		} as never as IExecuteFunctions;
		return new RunKeys(context, context.getNode(), stop);
	};
	const makeRuns = () => [makeRun('first'), makeRun('second')] as [RunKeys, RunKeys];

	test.each([
		['1', 'accepted'],
		['2', 'elsewhere'],
	])('in a dry run, the key of a message to 1 is, for %s, %s', async (recipient, expected) => {
		states = [{ state: 'unanswered' }, { state: 'unanswered' }];
		const run = makeRun();
		expect(await run.lookUp(key)).toBe('unanswered'); // as the workflow says
		run.useInDryRun(key);
		expect(await run.lookUp({ ...key, recipient })).toBe(expected);
		await run.close();
		expect(new Set(calls)).toEqual(new Set(['first read']));
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
		const unclaimed = { ...key };
		await run.claim(key);
		other.endClaim(unclaimed, fateOf(kind));
		for (let times = 0; times < 2; times++) run.endClaim(key, fateOf(kind)); // counts once
		await afterCalls();
		expect(calls).toEqual(['first claim']); // an end waits for the next call, or the end of the run
		await Promise.all([run.close(), other.close()]);
		expect(calls).toEqual(['first claim', ...told]);
	});

	test('is not asked to free a key that was used before', async () => {
		states = [{ state: 'accepted' }];
		const run = makeRun();
		expect(await run.claim(key)).toBe('accepted');
		run.endClaim(key, fateOf('skipped'));
		await run.close();
		expect(calls).toEqual(['first claim']);
	});

	test('gets the end of a claim before another run claims the key', async () => {
		const [first, second] = makeRuns();
		await first.claim(key);
		let store = () => {};
		held = new Promise<void>((resolve) => (store = resolve));
		first.endClaim(key, fateOf('refused'));
		const claimed = second.claim(key);
		await afterCalls();
		expect(calls).toEqual(['first claim', 'first release']);
		store();
		await claimed;
		expect(calls).toEqual(['first claim', 'first release', 'second claim']);
	});

	test('gives each claim an identity, and its end the same', async () => {
		const run = makeRun();
		const keys = ['a', 'b'].map((name) => ({ ...key, key: name }));
		for (const each of keys) await run.claim(each);
		for (const each of keys) run.endClaim(each, fateOf('refused'));
		await run.close();
		const ids = inputs.map(({ claimId }) => claimId);
		expect(new Set(ids).size).toBe(2);
		expect(ids.slice(2)).toEqual(ids.slice(0, 2));
	});

	describe('a key that another worker has just claimed', () => {
		const young = { state: 'unanswered', age: 0 };
		beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));

		test.each([
			[{ state: 'accepted' }, 'accepted'],
			[{ state: 'fresh' }, 'fresh'], // it was refused there
			[{ state: 'unanswered', age: 61 }, 'unanswered'],
			[{ state: 'unanswered' }, 'unanswered'],
		] as const)('is checked again until it is %j', async (last, expected) => {
			states = [young, { state: 'unanswered', age: '1' }, last];
			const claim = makeRun().claim(key);
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
			const claim = makeRun().claim(key);
			await jest.advanceTimersByTimeAsync(10);
			abort.stop();
			expect(await claim).toBe('unanswered');
			expect(calls).toHaveLength(1);
		});
	});
});
