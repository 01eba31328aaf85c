import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchOnce, startHost, type Host } from '../../tools/host';
import { until } from '../../tools/host/until';
import { killedParent } from './parent/killedParent';

const workflow = {
	name: 'Kept over a restart',
	nodes: [
		{
			id: '1',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0] as [number, number],
			parameters: {},
		},
	],
	connections: {},
};

const webhookWorkflow = {
	name: 'Called from outside',
	nodes: [
		{
			id: '1',
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0] as [number, number],
			parameters: { path: 'host-test', httpMethod: 'POST' },
			webhookId: 'host-test',
		},
	],
	connections: {},
};

describe('the host', () => {
	let userFolder: string;
	let host: Host;

	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-host-test-'));
		host = await startHost({ userFolder });
	});

	afterAll(async () => {
		await host.stop();
		await rm(userFolder, { recursive: true, force: true });
	});

	it('has this package and its node types', async () => {
		const types = await host.client.nodeTypes();
		expect(types.map(({ name }) => name)).toContain('n8n-nodes-messaging-gateway.messagingGateway');
	});

	it('runs a workflow and gives its data', async () => {
		const execution = await host.client.execute(workflow);
		expect(execution.status).toBe('success');
		expect(execution.error).toBeUndefined();
		expect(Object.keys(execution.data.resultData.runData)).toEqual(['Start']);
	});

	it('publishes a workflow, lists all its executions and unpublishes it', async () => {
		const id = await host.client.createWorkflow(webhookWorkflow);
		const call = async (path: string) => {
			const response = await fetchOnce(`${host.url}/${path}/host-test`, { method: 'POST' });
			await response.text();
			return response.status;
		};

		expect((await host.client.activate(id)).status).toBe('published');
		for (let count = 0; count < 120; count++) expect(await call('webhook')).toBe(200);
		const executions = await host.client.executions(id);
		expect(new Set(executions.map((execution) => execution.id)).size).toBe(120);

		expect((await host.client.deactivate(id)).status).toBe('not_published');
		expect(await call('webhook')).toBe(404);
	});

	it('listens for a test event until told to stop', async () => {
		const id = await host.client.createWorkflow(webhookWorkflow);
		const call = async () =>
			(await fetchOnce(`${host.url}/webhook-test/host-test`, { method: 'POST' })).status;

		await host.client.listen(id, 'Webhook');
		expect(await call()).toBe(200);
		await host.client.listen(id, 'Webhook');
		await host.client.stopListening(id);
		while ((await call()) !== 404) await sleep(50);
	});

	it('keeps its data over a power cut and a start at the same address', async () => {
		const id = await host.client.createWorkflow(workflow);
		const credential = await host.client.createCredential({ baseUrl: host.url, apiKey: 'kept' });
		const { url } = host;
		await host.kill();
		expect(isRunning(host.pid)).toBe(false);

		host = await startHost({ userFolder, port: Number(new URL(url).port) });

		expect(host.url).toBe(url);
		expect((await host.client.waitForExecution(await host.client.run(id))).status).toBe('success');
		await expect(host.client.testCredential(credential.id)).resolves.toHaveProperty('status');
	});

	it('leaves no process behind when it stops, and a given user folder in place', async () => {
		await host.stop();
		expect(isRunning(host.pid)).toBe(false);
		expect(existsSync(userFolder)).toBe(true);
	});

	it('removes its user folder if that is its own', async () => {
		const temporary = await startHost();
		await temporary.stop();
		expect(existsSync(temporary.userFolder)).toBe(false);
	});

	it('leaves no process and no folder when whoever started it is killed', async () => {
		const { userFolder, pid } = await killedParent();
		await until('both are gone', () => !isRunning(pid) && !existsSync(userFolder));
	});

	it('refuses a port that is in use', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		await expect(startHost({ userFolder, port })).rejects.toThrow(`Port ${port} is in use`);
		server.close();
	});

	it('names the log, and shows its end, when n8n does not start', async () => {
		const started = startHost({ userFolder, env: { N8N_ENCRYPTION_KEY: 'another' } });
		await expect(started).rejects.toThrow(/ended.*n8n\.log:\n/s);
	});
});

/** Whether any process of the group that n8n leads is there. */
function isRunning(pid: number): boolean {
	try {
		process.kill(-pid, 0);
		return true;
	} catch {
		return false;
	}
}
