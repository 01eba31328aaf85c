import { randomUUID } from 'node:crypto';
import { foreign } from '../account';
import type { LifecycleCase } from '../lifecycle';

export const conflict: LifecycleCase[] = [
	{
		title: 'Somebody else’s webhook, Refuse',
		async run(stage) {
			const { account, workflow } = await stage.open();
			account.sandbox.webhook = foreign;
			const { status, triggers } = await workflow.tryToPublish();
			expect(status).toBe('failed');
			expect(triggers[0]?.errorMessage).toBe(
				"The account has one webhook, and crm.example.com is using it. Switch it off there, or set 'If the Webhook Is in Use' to 'Share' or 'Take Over', and publish again.",
			);
			stage.row('publish: refused in each of five attempts', account, { onlyReads: true });
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Somebody else’s webhook, Refuse, in a workflow with another trigger',
		async run(stage) {
			const { account, workflow } = await stage.open({
				beside: {
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					parameters: { path: randomUUID() },
					webhookId: randomUUID(),
				},
			});
			account.sandbox.webhook = foreign;
			const { status, triggers } = await workflow.tryToPublish();
			expect(status).toBe('partial');
			expect(triggers.map(({ errorMessage }) => errorMessage ?? 'fine').sort()).toEqual([
				expect.stringContaining('crm.example.com is using it'),
				'fine',
			]);
			stage.row('publish: partial, refused in each of five attempts', account, { onlyReads: true });
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Somebody else’s webhook, Take Over',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			await workflow.publish();
			stage.row('publish', account);
			await workflow.save({ name: 'Renamed' });
			await workflow.publish();
			stage.row('publish, the node renamed', account);
			await workflow.unpublish();
			stage.row('unpublish', account);
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Somebody else’s webhook, switched off',
		async run(stage) {
			const { account, workflow } = await stage.open();
			account.sandbox.webhook = { ...foreign, enabled: false };
			await workflow.publish();
			stage.row('publish', account);
			await workflow.unpublish();
			stage.row('unpublish', account);
			expect(account.sandbox.webhook).toEqual({ ...foreign, enabled: false });
		},
	},
	{
		title: 'Displaced while published',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.publish();
			stage.row('publish', account);
			account.sandbox.webhook = foreign;
			await workflow.unpublish();
			stage.row('unpublish after somebody else has set the webhook', account, { onlyReads: true });
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
];
