/** How the n8n of the other tests begins and ends. What it does meanwhile, they show. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startHost, type Host } from '../../tools/host';
import { until } from '../../tools/host/until';
import { killedParent } from './parent/killedParent';

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
