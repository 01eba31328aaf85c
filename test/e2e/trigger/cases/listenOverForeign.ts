import { until } from '../../../../tools/host/until';
import { foreign, type Account } from '../account';
import type { LifecycleCase, Stage } from '../lifecycle';

async function isGivenBack(stage: Stage, account: Account): Promise<void> {
	await stage.isLeftWith(account, 'crm.example.com');
	expect(account.sandbox.webhook).toEqual(foreign);
}

/** Listening overlaps something else, and beneath both stands somebody else's webhook. */
export const listenOverForeign: LifecycleCase[] = [
	{
		title: 'Publishing while listening where somebody else has the webhook, Refuse',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			await workflow.listen();
			stage.row('listen', account);
			await workflow.save({ parameters: { conflict: 'refuse', options: {} } });
			const { status, triggers } = await workflow.tryToPublish();
			expect(status).toBe('failed');
			expect(triggers[0]?.errorMessage).toContain('crm.example.com is using it');
			stage.row('publish: refused in each of five attempts', account, { onlyReads: true });
			await workflow.stopListening();
			await isGivenBack(stage, account);
			stage.row('stop', account);
		},
	},
	{
		title: 'Publishing again while listening where somebody else had the webhook, Take Over',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			await workflow.publish();
			stage.row('publish', account);
			await workflow.listen();
			stage.row('listen', account);
			await workflow.save({ parameters: { conflict: 'takeOver', options: {} }, name: 'Renamed' });
			await workflow.publish();
			stage.row('publish, the node renamed', account);
			await workflow.stopListening();
			await until('n8n has checked', () => account.newCalls > 0);
			stage.row('stop', account, { onlyReads: true });
			await workflow.unpublish();
			stage.row('unpublish', account);
			expect(account.sandbox.webhook).toEqual(foreign);
		},
	},
	{
		title: 'Unpublishing while listening where somebody else had the webhook, Take Over',
		async run(stage) {
			const { account, workflow } = await stage.open({ conflict: 'takeOver' });
			account.sandbox.webhook = foreign;
			await workflow.publish();
			stage.row('publish', account);
			await workflow.listen();
			stage.row('listen', account);
			await workflow.unpublish();
			stage.row('unpublish', account);
			await workflow.stopListening();
			await isGivenBack(stage, account);
			stage.row('stop', account);
		},
	},
	{
		title: 'Listening in two workflows where somebody else has the webhook',
		async run(stage) {
			const { account, workflow } = await stage.open({ name: 'A', conflict: 'takeOver' });
			const other = await stage.create(account, {
				name: 'B',
				conflict: 'takeOver',
			});
			account.sandbox.webhook = foreign;
			await workflow.listen();
			stage.row('listen in A', account);
			await other.listen();
			stage.row('listen in B', account);
			await workflow.stopListening();
			await until('n8n has checked', () => account.newCalls > 0);
			stage.row('stop A', account, { onlyReads: true });
			await other.stopListening();
			await isGivenBack(stage, account);
			stage.row('stop B', account);
		},
	},
];
