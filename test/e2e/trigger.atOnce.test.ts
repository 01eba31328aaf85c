/** Several workflows of an account, published and unpublished at once while the service takes its time. */
import { sharedHost } from './sharedHost';
import { Account, foreign } from './trigger/account';
import { TriggerWorkflow } from './trigger/triggerWorkflow';

/** In ms. */
const delays = process.env.THOROUGH ? [1, 200, 400] : [200];

it.each(delays)('at %i ms, the CRM has its webhook afterwards', async (delayMs) => {
	const host = await sharedHost();
	const account = await Account.open(host.client);
	try {
		const { sandbox } = account;
		sandbox.webhook = { ...foreign };
		sandbox.fault({ operation: ['getWebhook', 'setWebhook'], share: 0.5, fault: { delayMs } });
		const all = await Promise.all(
			['A', 'B', 'C'].map(
				async (name) => await TriggerWorkflow.create(host, account, { name, conflict: 'takeOver' }),
			),
		);
		for (const order of [all, [...all].reverse()]) {
			await Promise.all(order.map(async (each) => await each.publish()));
			expect(account.left()).toMatch(/^production of [ABC]$/);
			await Promise.all(order.map(async (each) => await each.unpublish()));
			expect(sandbox.webhook).toEqual(foreign);
		}
	} finally {
		await account.close();
	}
});
