/** n8n's Engine 2.0, which a workflow chooses: what holds there. docs/compatibility.md says so. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import {
	freePort,
	outputOf,
	startHost,
	type CredentialReference,
	type Host,
} from '../../tools/host';
import type { Server } from '../../tools/host/queue';
import { N8N_DATABASE, startPostgres } from '../../tools/host/queue/servers';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { describeWhereInstalled } from '../e2e/queueMode/describe';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items } from '../../tools/shared/workflows';

const [one, two] = ['+5511912345678', '+5511912345679'];

describeWhereInstalled("n8n's Engine 2.0", () => {
	let folder: string;
	let postgres: Server;
	let host: Host;
	let sandbox: Sandbox;
	let credential: CredentialReference;

	beforeAll(async () => {
		folder = await mkdtemp(path.join(os.tmpdir(), 'n8n-engine2-'));
		postgres = await startPostgres(folder);
		const [port, controlPort] = [await freePort(), await freePort()];
		host = await startHost({
			env: {
				N8N_ENABLED_MODULES: 'engine-v2',
				N8N_ENGINE_DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/${N8N_DATABASE}`,
				N8N_ENGINE_AUTH_SECRET: 'only-for-this-test-'.repeat(4),
				N8N_ENGINE_HOST: '127.0.0.1',
				N8N_ENGINE_PORT: String(port),
				N8N_ENGINE_BASE_URL: `http://127.0.0.1:${port}`,
				N8N_ENGINE_CONTROL_PLANE_PORT: String(controlPort),
				N8N_ENGINE_CONTROL_PLANE_BASE_URL: `http://127.0.0.1:${controlPort}`,
			},
		});
		sandbox = await startSandbox();
		credential = await host.client.createCredential(sandbox.credential);
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await host?.stop();
		await sandbox?.close();
		await postgres?.stop();
		await rm(folder, { recursive: true, force: true });
	});

	async function prepare(operation: string, parameters: IDataObject, more: Partial<INode> = {}) {
		const send = gateway(credential, 'message', operation, parameters as never, more);
		const workflow = chain('Engine 2.0', ...items({ to: one }, { to: two }), send);
		const settings = { timezone: 'Asia/Tokyo', engineType: 'v2' } as object;
		const id = await host.client.createWorkflow({ ...workflow, settings });
		return async () => await host.client.waitForExecution(await host.client.run(id));
	}

	const run = async (...node: Parameters<typeof prepare>) => await (await prepare(...node))();

	const to = '={{ $json.to }}';
	const sent = () => sandbox.accepted().map((message) => message.to);

	it('sends each item once', async () => {
		const execution = await run('sendSms', { to, text: 'Hi' });
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Gateway')).toHaveLength(2);
		expect(sent()).toEqual([one, two].map((number) => number!.slice(1)));
	});

	it('sends nothing again that has a key', async () => {
		const options = onceBy('={{ $json.to }}');
		const again = await prepare('sendSms', { to, text: 'Hi', options });
		await again();
		const output = outputOf(await again(), 'Gateway');
		expect(output.map(({ json }) => json.skipped)).toEqual([true, true]);
		expect(sent()).toHaveLength(2);
	});

	it('asks no question', async () => {
		const { status, error } = await run(
			'sendAndWait',
			{ to, message: 'OK?' },
			{ executeOnce: true },
		);
		expect([status, sent()]).toEqual(['error', []]);
		expect(error?.message).toContain("does not work in n8n's Engine 2.0");
	});

	it.each([
		['2099-12-31T10:00:00', [], "'Schedule At' has no time zone: '2099-12-31T10:00:00'"],
		['2099-12-31T10:00:00+09:00', [one, two], undefined],
	])('scheduled for %s', async (scheduleAt, expected, message) => {
		const smsZone = { ...sandbox.credential, smsScheduleTimezone: 'America/Sao_Paulo' };
		credential = await host.client.createCredential(smsZone);
		const execution = await run('sendSms', { to, text: 'Hi', scheduleAt });
		expect(sent()).toEqual(expected.map((number) => number!.slice(1)));
		expect(JSON.stringify(execution.error ?? {})).toContain(message ?? '');
	});
});
