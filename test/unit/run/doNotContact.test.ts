import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Pool } from '../../../nodes/MessagingGateway/run/concurrency';
import { DoNotContactList } from '../../../nodes/MessagingGateway/run/doNotContact';

const asking = (execute: (asked: IDataObject[]) => Promise<IDataObject[]>) => {
	const executeWorkflow = (async (_: unknown, items: Array<{ json: IDataObject }>) => ({
		data: [(await execute(items.map(({ json }) => json))).map((json) => ({ json }))],
	})) as unknown as IExecuteFunctions['executeWorkflow'];
	const chosen = { id: 'w-1', name: 'STOP list' };
	return new DoNotContactList({ executeWorkflow }, chosen, new Pool(1), new Pool(10), 20);
};

test('a workflow that takes too long allows nothing', async () => {
	const list = asking(async () => await new Promise(() => {}));
	await expect(list.allows('1')).rejects.toThrow(/it took longer than 0\.02 seconds/);
});

test('one call runs at a time, with everything that waits by then', async () => {
	const calls: unknown[][] = [];
	const list = asking(async (asked) => {
		calls.push(asked.map(({ to }) => to));
		await new Promise((resolve) => setTimeout(resolve, 5));
		return asked.map((item) => ({ ...item, allowed: item.to !== '2' }));
	});
	const early = ['1', '2', '1'].map(async (to) => await list.allows(to));
	const isCalled = new Promise((resolve) => setTimeout(resolve, 3));
	await isCalled;
	const late = ['2', '3'].map(async (to) => await list.allows(to));
	expect(await Promise.all([...early, ...late])).toEqual([true, false, true, false, true]);
	expect(calls).toEqual([
		['1', '2'],
		['2', '3'],
	]);
});

test('after a failure, the workflow is asked again', async () => {
	let count = 0;
	const list = asking(async (asked) => {
		if (count++ === 0) throw new Error('down');
		return asked.map((item) => ({ ...item, allowed: true }));
	});
	await expect(list.allows('1')).rejects.toThrow(/down/);
	expect(await list.allows('1')).toBe(true);
});
