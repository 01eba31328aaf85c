import { SEEDS } from '../../../../tools/sandbox';
import { foreign } from '../account';
import type { LifecycleCase } from '../lifecycle';

export const credential: LifecycleCase[] = [
	{
		title: 'The credential gets another API key of the account while published',
		waitsFor: 'poll',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			await workflow.publish();
			stage.row('publish', account);
			const { url } = account;
			await stage.host.client.updateCredential(account.credential.id, {
				...account.sandbox.credential,
				apiKey: SEEDS.apiKeys[1]!.key,
			});
			expect((await account.deliver({})).status).toBe(200);
			await stage.polls('it is registered anew', () => account.url !== url);
			stage.row('the next check', account);
			expect((await account.deliver({})).status).toBe(200);
			expect((await account.deliver({}, url)).status).toBe(200); // as one that was under way
			await workflow.newestOf(3);
			await workflow.unpublish();
			stage.row('unpublish', account);
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title:
			'The credential gets another API key of the account, and the workflow is unpublished at once',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			await workflow.publish();
			stage.row('publish', account);
			await stage.host.client.updateCredential(account.credential.id, {
				...account.sandbox.credential,
				apiKey: SEEDS.apiKeys[1]!.key,
			});
			expect((await account.deliver({})).status).toBe(200);
			await workflow.newestOf(1);
			await workflow.unpublish();
			stage.row('unpublish', account);
		},
	},
	{
		title: 'The credential gets another account while published',
		async run(stage) {
			const { account, workflow } = await stage.open();
			const other = await stage.openAccount();
			other.introduce(workflow.webhookId, '');
			await workflow.publish();
			stage.row('publish', account);
			await stage.host.client.updateCredential(account.credential.id, other.sandbox.credential);
			expect((await account.deliver({})).status).toBe(200);
			await workflow.newestOf(1);
			await workflow.unpublish();
			stage.row('unpublish: the new account', other, { onlyReads: true });
			stage.row('unpublish: the old account', account);
		},
	},
];
