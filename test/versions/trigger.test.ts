/** A trigger's life, as the service and the executions show it. */
import { outputOf, type FinishedExecution } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startCrm } from '../../tools/shared/crm';
import { sharedHost } from '../e2e/sharedHost';
import { Account, foreign } from '../e2e/trigger/account';
import {
	TriggerWorkflow,
	type RunningHost,
	type TriggerOptions,
} from '../e2e/trigger/triggerWorkflow';

let host: RunningHost;
let account: Account;

beforeAll(async () => {
	host = await sharedHost();
});
beforeEach(async () => {
	account = await Account.open(host.client);
});
afterEach(async () => await account.close());

const createTrigger = async (options?: TriggerOptions) =>
	await TriggerWorkflow.create(host, account, options);

const messageIds = (execution: FinishedExecution) =>
	outputOf(execution, 'Trigger').map(({ json }) => json.messageId);

/** The registered URL as somebody would guess it who knows its address, and what a secret looks like. */
function forgeries(): string[] {
	const url = new URL(account.url);
	for (const [name, value] of [...url.searchParams]) {
		url.searchParams.set(name, '0'.repeat(value.length));
	}
	return [url.href, url.origin + url.pathname];
}

it('publishes, takes what is genuine, refuses what is forged, and unpublishes', async () => {
	const workflow = await createTrigger();
	await workflow.publish();
	expect(account.sandbox.webhook.enabled).toBe(true);
	const { url } = account;
	expect(url.startsWith(`${host.url}/webhook/`)).toBe(true);

	for (const forged of forgeries()) {
		expect(await account.deliver({ messageId: 'forged' }, forged)).toMatchObject({ status: 401 });
	}
	expect(await account.deliver({ messageId: 'genuine' })).toMatchObject({ status: 200 });
	const execution = await workflow.newestOf(1);
	expect(execution).toMatchObject({ mode: 'webhook', status: 'success' });
	expect(messageIds(execution)).toEqual(['genuine']);

	await workflow.unpublish();
	expect(account.sandbox.webhook.enabled).toBe(false);
	expect(await account.deliver({ messageId: 'late' }, url)).toMatchObject({ status: 404 });
	expect(await workflow.executions()).toHaveLength(1);
});

it("leaves somebody else's webhook alone, and says whose it is", async () => {
	account.sandbox.webhook = foreign;
	const workflow = await createTrigger();
	const { status, triggers } = await workflow.tryToPublish();
	expect(status).toBe('failed');
	expect(triggers[0]?.errorMessage).toContain('crm.example.com');
	expect(account.sandbox.webhook).toEqual(foreign);
});

it("takes somebody else's webhook over or shares it, and gives it back", async () => {
	const crm = await startCrm();
	account.sandbox.webhook = { url: crm.url, enabled: true };
	const sharing = await createTrigger({ conflict: 'share' });
	await sharing.publish();
	for (const status of [202, 500]) {
		crm.answer = (response) => response.writeHead(status).end('its own');
		const event = { messageId: `m-${status}` };
		expect(await account.deliver(event)).toMatchObject({ status, body: 'its own' });
	}
	expect(crm.received).toHaveLength(2);
	await sharing.newestOf(2);
	await sharing.unpublish();
	expect(account.sandbox.webhook).toEqual({ url: crm.url, enabled: true });
	await crm.close();

	account.sandbox.webhook = foreign;
	const workflow = await createTrigger({ conflict: 'takeOver' });
	await workflow.publish();
	expect(account.url.startsWith(host.url)).toBe(true);
	expect(await account.deliver({ messageId: 'genuine' })).toMatchObject({ status: 200 });
	expect(messageIds(await workflow.newestOf(1))).toEqual(['genuine']);
	await workflow.unpublish();
	expect(account.sandbox.webhook).toEqual(foreign);
});

it('borrows the webhook for a test event, then production has it again', async () => {
	const workflow = await createTrigger();
	await workflow.publish();
	const { url } = account;
	await workflow.listen();
	await until('n8n listens', () => account.url.startsWith(`${host.url}/webhook-test/`));
	for (const forged of forgeries()) {
		expect(await account.deliver({ messageId: 'forged' }, forged)).toMatchObject({ status: 401 });
	}
	expect(await account.deliver({ messageId: 'test' })).toMatchObject({ status: 200 });
	const test = await workflow.newestOf(1);
	expect(test.mode).toBe('manual');
	expect(messageIds(test)).toEqual(['test']);

	await until('production has the webhook again', () => account.url === url);
	expect(await account.deliver({ messageId: 'production' })).toMatchObject({ status: 200 });
	const production = await workflow.newestOf(2);
	expect(production.mode).toBe('webhook');
	expect(messageIds(production)).toEqual(['production']);
	await workflow.unpublish();
});
