import type { IDataObject } from 'n8n-workflow';

import { doNotContactList } from '../../../nodes/MessagingGateway/run/doNotContact';

test('a call asks for each number once, and each message gets its answer', async () => {
	const asked: unknown[] = [];
	const executeWorkflow = async (_: unknown, items: Array<{ json: IDataObject }>) => {
		asked.push(items.map(({ json }) => json.to));
		return { data: [items.map(({ json: { to } }) => ({ json: { to, allowed: to !== '2' } }))] };
	};
	const calls = doNotContactList({ executeWorkflow } as never, { id: '1', name: 'STOP' });
	const answers = ['1', '2', '1', '3'].map(async (to) => await calls.ask({ to }));
	await calls.flush();
	expect(await Promise.all(answers)).toEqual([true, false, true, true]);
	expect(asked).toEqual([['1', '2', '3']]);
});

test('a list that took too long is not asked again by the run', async () => {
	let calls = 0;
	const executeWorkflow = async () => {
		calls++;
		return await new Promise(() => {});
	};
	const context = { executeWorkflow } as never;
	const list = doNotContactList(context, { id: '1', name: 'STOP' }, '', 10);
	for (const to of ['1', '2', '3']) {
		const answer = list.ask({ to });
		void list.flush();
		await expect(answer).rejects.toThrow('it took longer than 0.01 seconds');
	}
	expect(calls).toBe(1);
});
