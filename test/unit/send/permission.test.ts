import type { IDataObject } from 'n8n-workflow';

import { permissionQueue } from '../../../nodes/send/checks';
import { SubWorkflow } from '../../../nodes/send/subWorkflow';

/** A list whose workflow is called like this. */
const listOf = (executeWorkflow: () => Promise<unknown>, timeoutMs?: number) =>
	permissionQueue(
		new SubWorkflow({ executeWorkflow } as never, 'w-1', 'do-not-contact workflow', timeoutMs),
	);

test('a list that took too long is not asked again by the run', async () => {
	const executeWorkflow = jest.fn(async () => await new Promise(() => {}));
	const list = listOf(executeWorkflow, 10);
	for (const to of ['1', '2', '3']) {
		const answer = list.ask({ to, segments: 1 });
		void list.flush();
		await expect(answer).rejects.toThrow('it took longer than 0.01 seconds');
	}
	expect(executeWorkflow).toHaveBeenCalledTimes(1);
});

test.each<[string, IDataObject[]]>([
	['no answer for 1', []],
	['no answer for 2', [{ to: '1', allowed: true }]],
	["nothing as 'allowed' for 1", [{ to: '1' }, { to: '2', allowed: true }]],
	[`"true" as 'allowed' for 1`, ['1', '2'].map((to) => ({ to, allowed: 'true' }))],
	["1 as 'allowed' for 2", [true, 1].map((allowed, at) => ({ to: at + 1, allowed }))],
	['different answers for 1', [true, false].map((allowed) => ({ to: '1', allowed }))],
])('a list that returned %s allows nobody', async (what, answers) => {
	const list = listOf(async () => ({ data: [answers.map((json) => ({ json }))] }));
	const asked = ['1', '2'].map(async (to) => await list.ask({ to, segments: 1 }));
	void list.flush();
	for (const answer of asked) await expect(answer).rejects.toThrow(`it returned ${what}`);
});
