import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startHost, type Host } from '../../host';

jest.setTimeout(120_000);

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

	it('names the log, and shows its end, when n8n does not start', async () => {
		const started = startHost({ userFolder, env: { DB_TYPE: 'none-such' } });
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
