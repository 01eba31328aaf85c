import type { LifecycleCase } from '../lifecycle';

const ids = async (run: Promise<{ data: { resultData: { runData: object } } }>) =>
	JSON.stringify((await run).data.resultData.runData);

export const publish: LifecycleCase[] = [
	{
		title: 'Publish, deliver, unpublish',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.publish();
			stage.row('publish', account);

			const { url } = account;
			expect(await account.deliver({ messageId: 'm-1' })).toMatchObject({ status: 200, body: '' });
			expect(await ids(workflow.newestOf(1))).toContain('"messageId":"m-1"');
			stage.row('a delivery', account);

			await workflow.unpublish();
			stage.row('unpublish', account);
			expect((await account.deliver({ messageId: 'm-2' }, url)).status).toBe(404);
			expect(await workflow.executions()).toHaveLength(1);
		},
	},
	{
		title: 'Publish again',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.publish();
			stage.row('publish', account);

			const { url } = account;
			await workflow.save({ position: [100, 100], notes: 'Moved on the canvas' });
			await workflow.publish();
			stage.row('publish, the node moved on the canvas only', account);
			expect(account.url).toBe(url);

			await workflow.save({ parameters: { options: { includeHeaders: true } } });
			await workflow.publish();
			stage.row('publish, a parameter changed', account);
			expect(account.url).toBe(url);

			await workflow.save({ name: 'Renamed' });
			await workflow.publish();
			stage.row('publish, the node renamed', account);
			expect(account.url).toBe(url);
			expect((await account.deliver({ messageId: 'm-1' })).status).toBe(200);
			expect(await ids(workflow.newestOf(1))).toContain('"Renamed"');

			await workflow.unpublish();
			stage.row('unpublish', account);
		},
	},
];
