import { Account } from '../account';
import type { LifecycleCase } from '../lifecycle';
import { isRedisInstalled, startQueueMode } from '../queueMode';
import { TriggerWorkflow } from '../triggerWorkflow';

/** The main process publishes, a webhook process takes deliveries, a worker executes. */
export const queueMode: LifecycleCase[] = [
	{
		title: 'Queue mode',
		slow: true,
		skip: isRedisInstalled ? undefined : 'needs redis-server on the PATH',
		async run() {
			const n8n = await startQueueMode();
			let account: Account | undefined;
			try {
				account = await Account.open(n8n.main.client);
				const workflow = await TriggerWorkflow.create(n8n.main, account);
				await workflow.publish();
				expect(account.calls()).toBe('GET, POST on: production');
				const { secret, url } = account;
				expect(url.startsWith(`${n8n.webhookUrl}/webhook/`)).toBe(true);

				// The secret reaches the webhook process through the database.
				const forged = url.replace(secret, '0'.repeat(64));
				expect((await account.deliver({ messageId: 'forged' }, forged)).status).toBe(401);
				const genuine = await account.deliver({ messageId: 'm-1' });
				expect(genuine).toMatchObject({ status: 200, body: '' });
				const execution = await workflow.newestOf(1);
				expect(execution.status).toBe('success');
				expect(JSON.stringify(execution.data)).toContain('"messageId":"m-1"');
				expect(n8n.workerLogs()).toContain(`Worker started execution ${execution.id}`);

				await workflow.save({ name: 'Renamed' });
				await workflow.publish();
				expect(account.calls()).toBe('GET, POST off: production, GET, POST on: production');
				expect((await account.deliver({}, url)).status).toBe(401);
				expect((await account.deliver({ messageId: 'm-2' })).status).toBe(200);
				expect(JSON.stringify((await workflow.newestOf(2)).data)).toContain('"messageId":"m-2"');

				await workflow.unpublish();
				expect(account.calls()).toBe('GET, POST off: production');
				for (const log of [n8n.mainLogs(), n8n.webhookLogs(), n8n.workerLogs()]) {
					expect(log.includes(secret)).toBe(false);
				}
			} finally {
				await account?.close();
				await n8n.stop();
			}
		},
	},
];
