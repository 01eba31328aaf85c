import type { IDataObject } from 'n8n-workflow';

import { DoNotContactList } from '../../../nodes/MessagingGateway/run/doNotContact';

test('a call asks for each number once, and each message gets its answer', async () => {
	const asked: unknown[] = [];
	const executeWorkflow = async (_: unknown, items: Array<{ json: IDataObject }>) => {
		asked.push(items.map(({ json }) => json.to));
		return { data: [items.map(({ json: { to } }) => ({ json: { to, allowed: to !== '2' } }))] };
	};
	const { calls } = new DoNotContactList({ executeWorkflow } as never, { id: '1', name: 'STOP' });
	const answers = ['1', '2', '1', '3'].map(async (to) => await calls.ask({ to }));
	await calls.flush();
	expect(await Promise.all(answers)).toEqual([true, false, true, true]);
	expect(asked).toEqual([['1', '2', '3']]);
});
