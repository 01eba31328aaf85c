/** The watch over the registration while n8n runs and after it was down: its clock is told to go on. */
import { useOwnHost } from '../e2e/sharedHost';
import { polls, ticking } from '../e2e/statusTrigger/workflow';
import { Account, foreign } from '../e2e/trigger/account';
import { TriggerWorkflow, type TriggerOptions } from '../e2e/trigger/triggerWorkflow';

const host = useOwnHost({ N8N_LOG_FORMAT: 'json' });
const accounts: Account[] = [];
afterAll(async () => {
	for (const account of accounts) await account.close();
});

/** A published trigger with an account of its own. */
async function publish(options?: TriggerOptions) {
	const account = await Account.open(host.client);
	accounts.push(account);
	const workflow = await TriggerWorkflow.create(host, account, options);
	await workflow.publish();
	return { account, workflow, url: account.url };
}

const isRegistered = async ({ account }: { account: Account }) =>
	await ticking(host, 'it is registered', () => {
		const { url, enabled } = account.sandbox.webhook;
		return enabled === true && url !== null && url.startsWith(host.url);
	});

const lose = ({ account }: { account: Account }) => {
	account.sandbox.webhook = { url: null, enabled: null };
};

/** A delivery starts the workflow, for the first time. */
async function takesDelivery({ account, workflow }: Awaited<ReturnType<typeof publish>>) {
	expect(await account.deliver({ messageId: 'm-1' })).toMatchObject({ status: 200 });
	await workflow.newestOf(1);
}

it('registers again what the service lost', async () => {
	const lost = await publish();
	lose(lost);
	await isRegistered(lost);
	await takesDelivery(lost);
});

it('registers again although its options hold expressions', async () => {
	const conditions = [{ field: "={{ 'messageId' }}", value: "={{ 'm-' + 1 }}" }];
	const options = { allowedIps: "={{ ['127.0.0.1', '::1'].join() }}", match: { conditions } };
	const lost = await publish({ options });
	lose(lost);
	await isRegistered(lost);
	expect(await lost.account.deliver({ messageId: 'm-2' })).toMatchObject({ status: 200 });
	await takesDelivery(lost);
});

it('leaves what somebody took alone, says so, and goes on looking', async () => {
	const displaced = await publish();
	displaced.account.sandbox.webhook = foreign;
	await ticking(host, 'n8n says so', async () => (await said(displaced.workflow)).length > 0);
	await polls(host, displaced.account.sandbox, 4);
	expect(await said(displaced.workflow)).toHaveLength(1);
	expect(displaced.account.sandbox.webhook).toEqual(foreign);
	lose(displaced);
	await isRegistered(displaced);
	expect(await displaced.account.deliver({ messageId: 'm-1' })).toMatchObject({ status: 200 });
});

it('registers again what the service lost while n8n was down', async () => {
	const lost = await publish();
	await host.stop();
	lose(lost);
	await host.startAgain();
	await isRegistered(lost);
	await takesDelivery(lost);
});

/**
 * What tells a person that the webhook was taken: failed executions or, where n8n cannot save them,
 * errors in its log. (Each look in vain is a warning there.)
 */
async function said(workflow: TriggerWorkflow): Promise<string[]> {
	const failed = (await workflow.executions()).filter(({ status }) => status === 'error');
	const ended = await Promise.all(failed.map(({ id }) => host.client.waitForExecution(id)));
	const messages = ended.map(({ error }) => String(error?.message)).filter(namesTheOther);
	if (messages.length > 0) return messages;
	const lines = host.logs().split('\n');
	return lines.filter((line) => namesTheOther(line) && line.includes('"level":"error"'));
}

const namesTheOther = (text: string): boolean => text.includes(new URL(foreign.url).host);
