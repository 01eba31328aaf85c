import { startCrm } from '../../../../tools/shared/crm';
import { foreign } from '../account';
import type { LifecycleCase, Stage } from '../lifecycle';
import type { TriggerOptions } from '../triggerWorkflow';

async function openTwo(stage: Stage, conflict: TriggerOptions['conflict']) {
	const { account, workflow: first } = await stage.open({ name: 'A' });
	const second = await stage.create(account, { name: 'B', conflict });
	await first.publish();
	stage.row('publish A', account);
	return { account, first, second };
}

export const twoWorkflows: LifecycleCase[] = [
	{
		title: 'Two workflows with one account, B with Refuse',
		async run(stage) {
			const { account, first, second } = await openTwo(stage, 'refuse');
			const { status, triggers } = await second.tryToPublish();
			expect(status).toBe('failed');
			expect(triggers[0]?.errorMessage).toContain(
				`another Messaging Gateway Trigger, at ${new URL(stage.host.url).host} is using it`,
			);
			stage.row('publish B: refused in each of five attempts', account, { onlyReads: true });
			expect((await account.deliver({})).status).toBe(200);
			await first.newestOf(1);
		},
	},
	{
		title: 'Two workflows with one account, B with Take Over',
		async run(stage) {
			const { account, first, second } = await openTwo(stage, 'takeOver');
			const { url } = account;
			await second.publish();
			stage.row('publish B', account);
			expect((await account.deliver({})).status).toBe(200);
			await second.newestOf(1);

			await second.unpublish();
			stage.row('unpublish B', account);
			expect(account.url).toBe(url);
			expect((await account.deliver({})).status).toBe(200);
			await first.newestOf(1);
		},
	},
	{
		title: 'Two workflows with one account, A unpublished first',
		async run(stage) {
			const { account, first, second } = await openTwo(stage, 'takeOver');
			await second.publish();
			stage.row('publish B', account);
			await first.unpublish();
			stage.row('unpublish A', account);
			await second.unpublish();
			stage.row('unpublish B', account);
		},
	},
	{
		title: 'Two workflows on somebody else’s webhook, both with Take Over',
		async run(stage) {
			const { account, workflow: first } = await stage.open({ name: 'A', conflict: 'takeOver' });
			const second = await stage.create(account, {
				name: 'B',
				conflict: 'takeOver',
			});
			account.sandbox.webhook = foreign;
			await first.publish();
			stage.row('publish A', account);
			await second.publish();
			stage.row('publish B', account);
			await first.unpublish();
			stage.row('unpublish A', account);
			await second.unpublish();
			stage.row('unpublish B', account);
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Two workflows on somebody else’s webhook, both with Share',
		async run(stage) {
			const { account, workflow: first } = await stage.open({ name: 'A', conflict: 'share' });
			const second = await stage.create(account, { name: 'B', conflict: 'share' });
			const crm = await startCrm();
			try {
				account.sandbox.webhook = { url: crm.url, enabled: true };
				await first.publish();
				stage.row('publish A', account);
				await second.publish();
				stage.row('publish B', account);
				expect(await account.deliver({ messageId: 'm-1' })).toMatchObject({
					status: 202,
					body: '{"taken":true}',
				});
				stage.row('a delivery: starts A and B, and reaches the CRM, which answers it', account);
				expect(crm.received).toHaveLength(1);
				for (const each of [first, second]) await each.newestOf(1);
				await second.listen();
				stage.row('listen in B', account);
				expect((await account.deliver({ messageId: 'm-2' })).status).toBe(202);
				await stage.isLeftWith(account, 'production of B');
				stage.row('a delivery: reaches the test, A, B and the CRM', account);
				expect(crm.received).toHaveLength(2);
				await first.newestOf(2);
				await second.newestOf(3);
				await first.unpublish();
				stage.row('unpublish A', account);
				await second.unpublish();
				stage.row('unpublish B', account);
				expect(account.sandbox.webhook).toEqual({ url: crm.url, enabled: true });
			} finally {
				await crm.close();
			}
		},
	},
];
