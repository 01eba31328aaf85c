import {
	TimeoutExecutionCancelledError,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Claim, EndAction, Key } from '../../../../nodes/send/keys/keyStore';
import { WorkflowKeyStore } from '../../../../nodes/send/keys/workflowKeyStore';
import { asks } from '../../support/store';

const key = (name: string, recipient = '5511912345678'): Key => ({ key: name, recipient });

/** A store with a workflow that answers like this, and the calls it got. */
function storeOf(
	answer: (inputs: IDataObject[]) => unknown,
	{ timeoutMs, stop }: { timeoutMs?: number; stop?: AbortSignal } = {},
) {
	const calls: IDataObject[][] = [];
	const handedOver: IDataObject[][] = [];
	const context = {
		getExecutionCancelSignal: () => stop,
		executeWorkflow: async (
			info: unknown,
			items: INodeExecutionData[],
			_: undefined,
			how?: { doNotWaitToFinish: boolean },
		) => {
			if (how?.doNotWaitToFinish) handedOver.push(items.map(({ json }) => json));
			expect(info).toEqual({ id: 'w-1' });
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
			const inputs = items.map(({ json }) => json);
			calls.push(inputs);
			const outputs = (await answer(inputs)) as IDataObject[] | null;
			return { executionId: '1', data: [outputs && outputs.map((json) => ({ json }))] };
		},
	};
	const store = new WorkflowKeyStore(context as never, 'w-1', 'workflow node', timeoutMs);
	return { store, calls, handedOver };
}

const statesOf = (states: Record<string, object>) => (inputs: IDataObject[]) =>
	inputs
		.filter(({ action }) => action === 'claim')
		.map(({ key: name }) => ({ key: name, ...states[name as string] }))
		.reverse(); // any order will do

test('ends and claims go to the workflow in one call', async () => {
	const { store, calls } = storeOf(statesOf({ c: { state: 'fresh' } }));
	const asked = [
		...asks('accept', { ...key('a', '1'), claimId: 'c-1' }),
		...asks('release', { ...key('b', '2'), claimId: 'c-2' }),
		...asks('claim', { ...key('c', '3'), claimId: 'c-3' }),
	];
	expect(await store.carryOut(asked)).toEqual(['fresh']);
	const said = calls.map((inputs) =>
		inputs.map(({ action, key: name, to, claimId }) => [action, name, to, claimId].join(' ')),
	);
	expect(said).toEqual([['accept a 1 c-1', 'release b 2 c-2', 'claim c 3 c-3']]);
	const waitMs = Date.parse(calls[0]![2]!.until as string) - Date.now();
	expect(waitMs).toBeGreaterThan(50_000);
	expect(waitMs).toBeLessThanOrEqual(60_000);
});

test('a call never contains a key twice; its end goes first', async () => {
	const { store, calls } = storeOf(statesOf({ a: { state: 'fresh' }, b: { state: 'fresh' } }));
	await store.carryOut([...asks('release', key('a')), ...asks('claim', key('b'), key('a'))]);
	const actions = calls.map((inputs) => inputs.map((input) => `${input.action} ${input.key}`));
	expect(actions).toEqual([['release a'], ['claim b', 'claim a']]);
});

test('reads the state of each key, in any order, and the number it was accepted for', async () => {
	const cases: Array<[answer: object, claim: Claim]> = [
		[{ state: 'fresh', to: null }, 'fresh'],
		[{ state: 'accepted', to: '5511912345678' }, 'accepted'],
		[{ state: 'accepted', to: 5511912345678 }, 'accepted'],
		[{ state: 'accepted', to: '5511900100000' }, 'elsewhere'],
		[{ state: 'accepted' }, 'accepted'],
		[{ state: 'accepted', to: null }, 'accepted'],
		[{ state: 'unanswered', to: '5511900100000' }, 'unanswered'],
	];
	const states = Object.fromEntries(cases.map(([answer], index) => [`k${index}`, answer]));
	const { store } = storeOf(statesOf(states));
	const keys = Object.keys(states).map((name) => key(name));
	const claims = await store.carryOut(asks('claim', ...keys));
	expect(claims).toEqual(cases.map(([, claim]) => claim));
});

test('keys are read with their own action, and answered as claims are', async () => {
	const { store, calls } = storeOf(() => [
		{ key: 'b', state: 'unanswered', age: 1 },
		{ key: 'a', state: 'fresh', age: 0 },
		{ key: 'c', state: 'accepted', to: '5511900100000' },
	]);
	const keys = [key('a', '1'), { ...key('b', '2'), timeoutMs: 30_000 }, key('c', '3')];
	expect(await store.carryOut(asks('read', ...keys))).toEqual(['fresh', 'pending', 'elsewhere']);
	const asked = { v: 1, action: 'read', scope: 'workflow node' };
	expect(calls).toEqual([
		keys.map(({ key: name, recipient: to }) => ({ ...asked, key: name, to })),
	]);
	await expect(store.carryOut(asks('read', key('d')))).rejects.toThrow(
		"it returned no state for the key 'd'",
	);
});

const [fresh, accepted] = ['fresh', 'accepted'].map((state) => ({ key: 'a', state }));
const noState = "it returned no state for the key 'a'";

test.each<[string, unknown, string]>([
	['no output', null, noState],
	['no item', [], noState],
	['another key', [{ key: 'b', state: 'fresh' }], noState],
	['no state', [{ key: 'a' }], noState],
	['an unknown state', [{ key: 'a', state: 'new' }], "it returned the state 'new' for the key 'a'"],
	['a long text', [{ key: 'a', state: 'x'.repeat(1e5) }], `the state '${'x'.repeat(177)}…`],
	['yes', [{ key: 'a', state: true }], "it returned the state 'true' for the key 'a'"],
	['a claim too late', [{ key: 'a', state: 'late' }], "it was too late to claim the key 'a'"],
	['two', [accepted, fresh], "the states 'accepted' and 'fresh' for the key 'a'"],
])('a workflow that returns %s is an error that names it', async (_, outputs, what) => {
	const { store } = storeOf(() => outputs);
	const claim = store.carryOut(asks('claim', key('a')));
	await expect(claim).rejects.toThrow("The deduplication workflow 'w-1' did not work: it ");
	await expect(claim).rejects.toThrow(what);
	await store.carryOut(asks('accept', key('a'))); // needs no answer
});

test('a workflow may say the same twice', async () => {
	const { store } = storeOf(() => [fresh, fresh]);
	expect(await store.carryOut(asks('claim', key('a')))).toEqual(['fresh']);
});

const noSuchWorkflow = 'n8n can call no published workflow with this ID';
const howToEnter =
	"Enter the last part of the workflow's address in the editor as its ID in the credential. Publish it, and let all your workflows call it, in its settings.";

const howToSee = 'Open its executions in n8n to see why.';

test.each<[string, string, string, number]>([
	['Connection refused', 'Connection refused', howToSee, 2],
	['relation "keys" does not exist', 'relation "keys" does not exist', howToSee, 2],
	['Workflow is not active and cannot be executed.', noSuchWorkflow, howToEnter, 1],
	['The sub-workflow (w-1) cannot be called by this workflow', noSuchWorkflow, howToEnter, 1],
	['Workflow does not exist.', noSuchWorkflow, howToEnter, 1],
])('a workflow that fails with %j says %j, with the hint %j', async (reason, is, ...rest) => {
	const [hint, times] = rest;
	const fails = async () => await Promise.reject(new Error(reason));
	const { store, calls } = storeOf(fails, { timeoutMs: 500 });
	const message = `The deduplication workflow 'w-1' did not work: ${is}`;
	const isTimeout = times > 1;
	const claim = store.carryOut(asks('claim', key('a')));
	await expect(claim).rejects.toMatchObject({ message, hint, isTimeout });
	expect(calls.filter(([input]) => input!.action === 'claim')).toHaveLength(times);
});

describe('a call that fails for a moment', () => {
	function failingOnce(stop?: AbortSignal) {
		let calls = 0;
		const answer = (inputs: IDataObject[]) => {
			if (++calls === 1) throw new Error('Connection refused');
			return statesOf({ a: { state: 'fresh' } })(inputs);
		};
		return storeOf(answer, { stop });
	}

	test.each<[string, EndAction | undefined, Claim[]]>([
		['a claim', undefined, ['fresh']],
		['a release', 'release', []],
		['an accepted message', 'accept', []],
	])('with %s is repeated as it was', async (_, ending, answer) => {
		const { store, calls } = failingOnce();
		const one = { ...key('a'), claimId: 'c-1' };
		const carriedOut = store.carryOut(asks(ending ?? 'claim', one));
		expect(await carriedOut).toEqual(answer);
		expect(calls).toHaveLength(2);
		expect(calls[1]).toEqual(calls[0]);
		expect(calls[0]).toMatchObject([{ claimId: 'c-1' }]);
	});

	test('is repeated after a stop only if it ends a claim', async () => {
		const claimed = failingOnce(AbortSignal.abort()).store.carryOut(asks('claim', key('a')));
		await expect(claimed).rejects.toThrow('Connection refused');
		const ending = failingOnce(AbortSignal.abort());
		expect(await ending.store.carryOut(asks('release', key('a')))).toEqual([]);
		expect(ending.calls).toHaveLength(2);
	});
});

test("after a workflow's time-out, which ends what it calls, ends are stored without waiting", async () => {
	let times = 0;
	const answer = () => {
		if (++times === 1) throw new TimeoutExecutionCancelledError('1');
		return [];
	};
	const { store, handedOver } = storeOf(answer, { stop: AbortSignal.abort() });
	await store.carryOut(asks('accept', key('a')));
	expect(handedOver).toMatchObject([[{ action: 'accept', key: 'a' }]]);
});

test('what a workflow may have claimed when its time is up is released', async () => {
	const answer = async ([input]: IDataObject[]) =>
		input!.action === 'release' ? [] : await new Promise(() => {});
	const { store, calls } = storeOf(answer, { timeoutMs: 50 });
	const claimed = [key('b', '1'), key('c')].map((one) => ({ ...one, claimId: `of ${one.key}` }));
	const asked = [...asks('accept', key('a')), ...asks('claim', ...claimed)];
	await expect(store.carryOut(asked)).rejects.toMatchObject({
		message: expect.stringContaining('it took longer than 0.05 seconds'),
		isTimeout: true,
	});
	const releases = claimed.map(({ key, claimId }) => ({ action: 'release', key, claimId }));
	expect(calls.slice(1)).toMatchObject([releases]);
});

test('a claim that fails after its timeout is not repeated: the key would stay in doubt', async () => {
	let fail: (reason: Error) => void = () => {};
	const failing = new Promise<never>((_, reject) => (fail = reject));
	const answer = async ([input]: IDataObject[]) => (input!.action === 'claim' ? await failing : []);
	const { store, calls } = storeOf(answer, { timeoutMs: 300 });
	const claim = store.carryOut(asks('claim', key('a')));
	await expect(claim).rejects.toMatchObject({ isTimeout: true });
	fail(new Error('Connection terminated'));
	await new Promise((resolve) => setTimeout(resolve, 300)); // longer than the first pause
	expect(calls.map(([input]) => input!.action)).toEqual(['claim', 'release']);
});

test.each<[object, number | undefined, string]>([
	[{ age: 0 }, 30_000, 'pending'],
	[{ age: '29.9' }, 30_000, 'pending'],
	[{ age: 30 }, 30_000, 'unanswered'],
	[{ age: 0 }, undefined, 'unanswered'],
	[{}, 30_000, 'unanswered'],
	[{ age: null }, 30_000, 'unanswered'],
	[{ age: '' }, 30_000, 'unanswered'],
	[{ age: 'new' }, 30_000, 'unanswered'],
	[{ age: 0, state: 'accepted' }, 30_000, 'accepted'],
])('unanswered with %j, for a request of %s ms, is %s', async (more, timeoutMs, expected) => {
	const { store } = storeOf(statesOf({ a: { state: 'unanswered', ...more } }));
	expect(await store.carryOut(asks('claim', { ...key('a'), timeoutMs }))).toEqual([expected]);
});

test('a key too long for an index is replaced by its hash', async () => {
	const long = ['x', 'y'].map((last) => `${'é'.repeat(2_000)}${last}`);
	const { store, calls } = storeOf((all) => all.map(({ key }) => ({ key, state: 'fresh' })));
	const keys = [...long, 'z'.repeat(2_000)].map((name) => key(name));
	expect(await store.carryOut(asks('claim', ...keys))).toEqual(['fresh', 'fresh', 'fresh']);
	const names = calls[0]!.map((input) => input.key);
	expect(new Set(names).size).toBe(3);
	expect(names).toEqual([
		expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
		expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
		keys[2]!.key,
	]);
	await store.carryOut(asks('accept', keys[0]!));
	expect(calls[1]![0]!.key).toBe(names[0]);
});
