import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Key } from '../../../../nodes/MessagingGateway/run/keys/keyStore';
import { WorkflowKeyStore } from '../../../../nodes/MessagingGateway/run/keys/workflowKeyStore';

const workflow = { id: 'w-1', name: 'Keys in my database' };
const key = (name: string, recipient = '5511912345678'): Key => ({ key: name, recipient });

/** A store whose workflow answers so, and what it was called with. */
function storeOf(
	answer: (inputs: IDataObject[]) => unknown,
	cancel?: AbortSignal,
	timeoutMs?: number,
) {
	const calls: IDataObject[][] = [];
	const context = {
		getExecutionCancelSignal: () => cancel,
		executeWorkflow: async (info: unknown, items: INodeExecutionData[]) => {
			expect(info).toEqual({ id: 'w-1' });
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
			const inputs = items.map(({ json }) => json);
			calls.push(inputs);
			const outputs = (await answer(inputs)) as IDataObject[] | null;
			return { executionId: '1', data: [outputs && outputs.map((json) => ({ json }))] };
		},
	};
	const store = new WorkflowKeyStore(context as never, workflow, 'workflow node', timeoutMs);
	return { store, calls };
}

const statesOf = (states: Record<string, object>) => (inputs: IDataObject[]) =>
	inputs
		.filter(({ action }) => action === 'claim')
		.map(({ key: name }) => ({ key: name, ...states[name as string] }))
		.reverse(); // any order will do

test('tells the workflow what became of claims and what is claimed, in one call', async () => {
	const { store, calls } = storeOf(statesOf({ c: { state: 'fresh' } }));
	const ended = [
		{ ...key('a', '1'), ending: 'accepted' as const },
		{ ...key('b', '2'), ending: 'released' as const },
	];
	expect(await store.update(ended, [key('c', '3')])).toEqual(['fresh']);
	const scope = 'workflow node';
	expect(calls).toEqual([
		[
			{ action: 'accept', scope, key: 'a', to: '1' },
			{ action: 'release', scope, key: 'b', to: '2' },
			{ action: 'claim', scope, key: 'c', to: '3' },
		],
	]);
});

test('never tells of one key twice in a call, and of the end first', async () => {
	const { store, calls } = storeOf(statesOf({ a: { state: 'fresh' }, b: { state: 'fresh' } }));
	await store.update([{ ...key('a'), ending: 'released' }], [key('b'), key('a')]);
	const actions = calls.map((inputs) => inputs.map((input) => `${input.action} ${input.key}`));
	expect(actions).toEqual([['release a'], ['claim b', 'claim a']]);
});

test('reads the state of each key, whatever the order, and the number it was accepted for', async () => {
	const { store } = storeOf(
		statesOf({
			a: { state: 'fresh', to: null },
			b: { state: 'accepted', to: '5511912345678' },
			c: { state: 'accepted', to: 5511912345678 },
			d: { state: 'accepted', to: '5511900000000' },
			e: { state: 'accepted' },
			f: { state: 'accepted', to: null },
			g: { state: 'unanswered', to: '5511900000000' },
		}),
	);
	const told = await store.update(
		[],
		['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => key(name)),
	);
	expect(told).toEqual([
		'fresh',
		'accepted',
		'accepted',
		'elsewhere',
		'accepted',
		'accepted',
		'unanswered',
	]);
});

test.each<[string, unknown, string]>([
	['no output', null, "it gave no state for the key 'a'"],
	['no item', [], "it gave no state for the key 'a'"],
	['another key', [{ key: 'b', state: 'fresh' }], "it gave no state for the key 'a'"],
	['no state', [{ key: 'a' }], "it gave no state for the key 'a'"],
	['a state of its own', [{ key: 'a', state: 'new' }], "it gave the state 'new' for the key 'a'"],
	['yes', [{ key: 'a', state: true }], "it gave the state 'true' for the key 'a'"],
])('a workflow that gives %s is an error that names it', async (_, outputs, reason) => {
	const { store } = storeOf(() => outputs);
	await expect(store.update([], [key('a')])).rejects.toThrow(
		`The deduplication workflow 'Keys in my database' did not work: ${reason}`,
	);
	await store.update([{ ...key('a'), ending: 'accepted' }], []); // needs no answer
});

test('a workflow that fails says why', async () => {
	const { store } = storeOf(() => {
		throw new Error('Connection refused');
	});
	await expect(store.update([], [key('a')])).rejects.toThrow('did not work: Connection refused');
});

test('a workflow that does not end is given up', async () => {
	const { store } = storeOf(async () => await new Promise(() => {}), undefined, 50);
	await expect(store.update([], [key('a')])).rejects.toThrow('it took longer than 0.05 seconds');
});

test('a stop does not wait for the workflow', async () => {
	const cancel = new AbortController();
	const { store } = storeOf(async () => await new Promise(() => {}), cancel.signal);
	const update = store.update([], [key('a')]);
	cancel.abort();
	await expect(update).rejects.toThrow('the execution was stopped');
});
