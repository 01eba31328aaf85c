/**
 * A copy of production's database is started while production is down. Its credential may only be used
 * in production, so it sends nothing and takes no webhook, and says so.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, startHost, tick, type Host } from '../../tools/host';
import { until } from '../../tools/host/until';
import { chain, gateway, node } from '../../tools/shared/workflows';
import { testEnvironment } from '../e2e/environment';
import { setStatuses, StatusWorkflow } from '../e2e/statusTrigger/workflow';
import { Account } from '../e2e/trigger/account';
import { TriggerWorkflow } from '../e2e/trigger/triggerWorkflow';

const folders: string[] = [];
const hosts: Host[] = [];
let account: Account | undefined;

async function start(userFolder: string, port?: number): Promise<Host> {
	const host = await startHost({ userFolder, port, env: testEnvironment });
	hosts.push(host);
	return host;
}

afterAll(async () => {
	for (const host of hosts) await host.stop();
	await account?.close();
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

it('sends nothing, takes no webhook and reports no change', async () => {
	const userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-production-'));
	const copied = `${userFolder}-copy`;
	folders.push(userFolder, copied);
	const port = await freePort();
	let production = await start(userFolder, port);
	account = await Account.open(production.client);
	const { sandbox, credential } = account;
	const bound = { ...sandbox.credential, n8nAddress: production.url };
	await production.client.updateCredential(credential.id, bound);

	const trigger = await TriggerWorkflow.create(production, account, { conflict: 'takeOver' });
	await trigger.publish();
	setStatuses(sandbox, { a: 'queued' });
	const ticking = { client: production.client, tick: () => tick(production.pid) };
	const status = await StatusWorkflow.create(() => ticking, bound);
	await status.publish();
	const sms = { to: '5511912345678', text: 'Your appointment is today' };
	const daily = chain('Reminders', gateway(credential, 'message', 'sendSms', sms));
	const rule = { interval: [{ field: 'minutes', minutesInterval: 1 }] };
	const schedule = node('Start', 'n8n-nodes-base.scheduleTrigger', { rule }, { typeVersion: 1.2 });
	daily.nodes[0] = { ...daily.nodes[0]!, ...schedule };
	const reminders = await production.client.createWorkflow(daily);
	await production.client.activate(reminders);
	await until('production sends', () => {
		tick(production.pid);
		return sandbox.accepted().length > 0;
	});

	await production.stop();
	const before = { ...sandbox.webhook };
	const { length } = sandbox.requests();
	setStatuses(sandbox, { a: 'delivered' });
	await cp(userFolder, copied, { recursive: true });
	const copy = await start(copied);
	const refused = `only be used in the n8n at ${production.url}`;
	const refusals = async (workflow: string) => {
		tick(copy.pid);
		const failed = (await copy.client.executions(workflow)).filter((one) => one.status === 'error');
		return await Promise.all(failed.map(async ({ id }) => await copy.client.waitForExecution(id)));
	};
	for (const workflow of [reminders, status.id]) {
		const failed = await until('it refuses', async () => {
			const all = await refusals(workflow);
			return all.length > 0 && all;
		});
		for (const { error } of failed) expect(error?.message).toContain(refused);
	}
	await until('the trigger says why it does nothing', () =>
		copy
			.logs()
			.split('\n')
			.some((line) => line.includes('Trigger') && line.includes(refused)),
	);
	await trigger.on(copy).unpublish();
	await copy.stop();
	expect(sandbox.requests()).toHaveLength(length);
	expect(sandbox.webhook).toEqual(before);

	production = await start(userFolder, port);
	expect((await account.deliver({ messageId: 'm-1' })).status).toBe(200);
	await trigger.on(production).newestOf(1);
});
