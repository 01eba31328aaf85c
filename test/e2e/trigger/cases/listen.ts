import { until } from '../../../../tools/host/until';
import { foreign } from '../account';
import type { LifecycleCase } from '../lifecycle';
import { listenOverForeign } from './listenOverForeign';
import { secrets } from './secrets';

const cases: LifecycleCase[] = [
	{
		title: 'Listening while published, until n8n’s two minutes are over',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.publish();
			stage.row('publish', account);
			const { url } = account;
			await workflow.listen();
			stage.row('listen', account);
			await stage.isLeftWith(account, 'production');
			stage.row('two minutes later', account);
			expect(account.url).toBe(url);
			expect((await account.deliver({})).status).toBe(200);
			expect((await workflow.newestOf(1)).mode).toBe('webhook');
		},
	},
	{
		title: 'Listening while published, with a delivery',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.publish();
			stage.row('publish', account);
			const { url } = account;
			await workflow.listen();
			stage.row('listen', account);

			const forged = account.url.replace(account.secret, '0'.repeat(43));
			expect((await account.deliver({ messageId: 'forged' }, forged)).status).toBe(401);
			stage.row('a forged delivery', account);

			expect((await account.deliver({ messageId: 'test' })).status).toBe(200);
			await stage.isLeftWith(account, 'production');
			stage.row('a delivery', account);
			expect(account.url).toBe(url);
			const test = await workflow.newestOf(1);
			expect(test.mode).toBe('manual');
			expect(JSON.stringify(test.data)).toContain('"messageId":"test"');

			expect((await account.deliver({ messageId: 'production' })).status).toBe(200);
			expect((await workflow.newestOf(2)).mode).toBe('webhook');
		},
	},
	{
		title: 'Listening while published, stopped',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.publish();
			stage.row('publish', account);
			const { url } = account;
			await workflow.listen();
			stage.row('listen', account);
			await workflow.stopListening();
			await stage.isLeftWith(account, 'production');
			stage.row('stop', account);
			expect(account.url).toBe(url);
		},
	},
	{
		title: 'Listening while another workflow is published',
		async run(stage) {
			const { account, workflow } = await stage.open({ name: 'A' });
			const other = await stage.create(account, {
				name: 'B',
				conflict: 'takeOver',
			});
			await workflow.publish();
			stage.row('publish A', account);
			const { url } = account;
			await other.listen();
			stage.row('listen in B', account);
			expect((await account.deliver({})).status).toBe(200);
			await stage.isLeftWith(account, 'production of A');
			stage.row('a delivery', account);
			expect(account.url).toBe(url);
			await other.newestOf(1);
			expect(await workflow.executions()).toEqual([]);
		},
	},
	{
		title: 'Listening where somebody else has the webhook, Refuse',
		async run(stage) {
			const { account, workflow } = await stage.open();
			account.sandbox.webhook = foreign;
			await expect(workflow.listen()).rejects.toThrow('and crm.example.com is using it');
			stage.row('listen: fails at once', account, { onlyReads: true });
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Listening where somebody else has the webhook, Take Over',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			await workflow.listen();
			stage.row('listen', account);
			await workflow.stopListening();
			await stage.isLeftWith(account, 'crm.example.com');
			stage.row('stop', account);
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Listening, and the service is down when it ends',
		async run(stage) {
			const { account, workflow } = await stage.open({ name: 'A' });
			const other = await stage.create(account, {
				name: 'B',
				conflict: 'takeOver',
			});
			await workflow.listen();
			stage.row('listen in A', account);
			account.sandbox.fault({ fault: { status: 503 } });
			await workflow.stopListening();
			await until('the service was asked three times', () => account.newCalls > 2);
			stage.row('stop', account);

			account.sandbox.clearFaults();
			await other.listen();
			stage.row('listen in B, the service is back', account);
			await other.stopListening();
			await until('the webhook is off', () => account.sandbox.webhook.enabled === false);
			stage.row('stop', account);
		},
	},
	{
		title: 'Listening while the service is down',
		async run(stage) {
			const { account, workflow } = await stage.open();
			account.sandbox.fault({ fault: { status: 503 } });
			await expect(workflow.listen()).rejects.toThrow('The service is not available right now');
			stage.row('listen: fails at once', account);
			account.sandbox.clearFaults();
			await workflow.listen();
			stage.row('listen, the service is back', account);
			await workflow.stopListening();
			await until('the webhook is off', () => account.sandbox.webhook.enabled === false);
			stage.row('stop', account);
		},
	},
	{
		title: 'Listening where there is no webhook',
		async run(stage) {
			const { account, workflow } = await stage.open();
			await workflow.listen();
			stage.row('listen', account);
			await workflow.stopListening();
			await until('the webhook is off', () => account.sandbox.webhook.enabled === false);
			stage.row('stop', account);
		},
	},
];

/**
 * One after the other: while a test ends, n8n 2.40 holds on to more than it can copy when another one
 * begins or ends. (WorkflowExecuteAdditionalData in its cache; it stands still then, for any trigger.)
 */
let previous: Promise<void> = Promise.resolve();

export const listen: LifecycleCase[] = [...cases, ...listenOverForeign, ...secrets].map((each) => ({
	...each,
	async run(stage) {
		const turn = previous.then(async () => await each.run(stage));
		previous = turn.catch(() => undefined);
		await turn;
	},
}));
