import { foreign } from '../account';
import type { LifecycleCase } from '../lifecycle';

export const watch: LifecycleCase[] = [
	{
		title: 'The check every three minutes',
		waitsFor: 'poll',
		async run(stage) {
			const lost = await stage.open();
			const refusing = await stage.open();
			const takingOver = await stage.open({ conflict: 'takeOver' });
			const all = [lost, refusing, takingOver];
			for (const { workflow } of all) await workflow.publish();
			const secrets = all.map(({ account }) => account.secret);

			for (const { account } of all) account.calls();
			lost.account.sandbox.webhook = { url: null, enabled: null };
			refusing.account.sandbox.webhook = foreign;
			takingOver.account.sandbox.webhook = foreign;

			await stage.polls('it is registered', () => lost.account.left() === 'production');
			stage.row('the service has lost the webhook', lost.account);
			await stage.polls('it was checked', () => refusing.account.newCalls > 0);
			stage.row('somebody else has set it; Refuse', refusing.account, { onlyReads: true });
			await stage.polls('it is registered', () => takingOver.account.left() === 'production');
			stage.row('somebody else has set it; Take Over', takingOver.account);

			for (const [index, { account, workflow }] of all.entries()) {
				if (account === refusing.account) continue;
				expect(account.secret).toBe(secrets[index]);
				expect((await account.deliver({})).status).toBe(200);
				await workflow.newestOf(1);
			}
			await takingOver.workflow.unpublish();
			stage.row('unpublish after that', takingOver.account);
			expect(takingOver.account.sandbox.webhook).toEqual(foreign);
		},
	},
];
