import { foreign } from '../account';
import type { LifecycleCase } from '../lifecycle';

export const unavailable: LifecycleCase[] = [
	{
		title: 'The service is down when publishing',
		async run(stage) {
			const { account, workflow } = await stage.open();
			account.sandbox.fault({ fault: { status: 503 } });
			const { status, triggers } = await workflow.tryToPublish();
			expect(status).toBe('failed');
			expect(triggers[0]?.errorMessage).toContain('The service is not available right now');
			stage.row('publish: fails after five attempts', account);

			account.sandbox.clearFaults();
			await workflow.publish();
			stage.row('publish, the service is back', account);
			expect((await account.deliver({})).status).toBe(200);
			await workflow.newestOf(1);
		},
	},
	{
		title: 'The service registers the webhook, but its answer is lost',
		async run(stage) {
			const { account, workflow } = await stage.open();
			const fault = { reset: 'afterAccept' } as const;
			account.sandbox.fault({ operation: 'setWebhook', times: 1, fault });
			await workflow.publish();
			stage.row('publish: works at the second attempt', account);
			expect((await account.deliver({})).status).toBe(200);
		},
	},
	{
		title: 'The service registers the webhook, but its answer is lost, and then it is down',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			const fault = { reset: 'afterAccept' } as const;
			account.sandbox.fault({ operation: 'setWebhook', times: 1, fault });
			account.sandbox.fault({ operation: 'getWebhook', skip: 2, fault: { status: 503 } });
			expect((await workflow.tryToPublish()).status).toBe('failed');
			stage.row('publish: fails after five attempts', account);

			account.sandbox.clearFaults();
			await workflow.publish();
			stage.row('publish, the service is back', account, { onlyReads: true });
			expect((await account.deliver({})).status).toBe(200);
			await workflow.newestOf(1);
			await workflow.unpublish();
			stage.row('unpublish', account);
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'The service is down when unpublishing',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.publish();
			stage.row('publish', account);
			account.sandbox.fault({ fault: { status: 503 } });
			await workflow.unpublish();
			stage.row('unpublish: three attempts, then n8n ends it anyway', account);
			expect((await account.deliver({})).status).toBe(404);

			account.sandbox.clearFaults();
			await workflow.publish();
			stage.row('publish, the service is back', account, { onlyReads: true });
			await workflow.unpublish();
			stage.row('unpublish', account);
		},
	},
];
