/** An n8n from the image that N8N_IMAGE names, e.g. docker.n8n.io/n8nio/n8n:2.41.1. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, startHost } from '../../tools/host';
import { docker, missingDocker } from '../../tools/host/container/docker';
import { labelOf } from '../../tools/host/container/launch';
import { n8nEnvironment } from '../../tools/host/environment';
import { N8nProcess } from '../../tools/host/n8nProcess';
import { hostFolder } from '../../tools/host/paths';
import { until } from '../../tools/host/until';
import { startSandbox } from '../../tools/sandbox';
import { killedParent } from './parent/killedParent';
import { chain, node } from '../../tools/shared/workflows';
import { smsToEach } from '../e2e/support/workflows';

const { N8N_IMAGE: image = '' } = process.env;
const missing = image ? missingDocker() : 'N8N_IMAGE, an image of n8n';
const reason = missing && `: not run, needs ${missing}`;

/** E.g. `Up 3 seconds`; empty where there is none. */
const stateOf = (userFolder: string): string => {
	const filter = ['--filter', `label=${labelOf(userFolder)}`];
	return docker('ps', '--all', ...filter, '--format', '{{.Status}}').stdout.trim();
};

(missing ? describe.skip : describe)(`an n8n from an image${reason}`, () => {
	const n8n = { image };

	it('sends an SMS, writes as whoever started it, and leaves nothing when it stops', async () => {
		const host = await startHost({ n8n });
		const sandbox = await startSandbox();
		try {
			const credential = await host.client.createCredential(sandbox.credential);
			const to = '+5511912345678';
			const jsCode = `return [{ json: { to: '${to}' } }];`; // runs in a process of its own
			const code = node('Code', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });
			const execution = await host.client.execute(chain('SMS', code, smsToEach(credential)));
			expect(execution.error).toBeUndefined();
			expect(sandbox.timesAccepted({ to })).toBe(1);
			expect(stateOf(host.userFolder)).toMatch(/^Up/);
			expect(host.memory()?.current).toBeGreaterThan(100e6);
			const { uid } = statSync(path.join(host.userFolder, '.n8n', 'database.sqlite'));
			expect(uid).toBe(process.getuid!());
		} finally {
			await host.stop();
			await sandbox.close();
		}
		expect([stateOf(host.userFolder), existsSync(host.userFolder)]).toEqual(['', false]);
	});

	it('leaves none when whoever started it is killed', async () => {
		const { userFolder } = await killedParent(image);
		await until('both are gone', () => !stateOf(userFolder) && !existsSync(userFolder));
	});

	it('stands still and goes on when told to, and ends at once when killed', async () => {
		const userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-container-test-'));
		const ports = { editor: await freePort(), taskBroker: await freePort() };
		const env = n8nEnvironment(userFolder, ports, n8n);
		const running = new N8nProcess(['start'], env, path.join(userFolder, 'n8n.log'), n8n);
		try {
			await until('it is there', () => stateOf(userFolder).startsWith('Up'));
			running.pause();
			expect(stateOf(userFolder)).toContain('Paused');
			running.resume();
			expect(stateOf(userFolder)).not.toContain('Paused');
		} finally {
			await running.kill();
			await rm(userFolder, { recursive: true });
		}
		expect(stateOf(userFolder)).toBe('');
	});

	it.each([
		['that cannot be pulled', {}, /^Pulling .*\n127\.0\.0\.1:9\/n8n:1 cannot be pulled\..*refused/],
		[
			'without a Docker that answers',
			{ DOCKER_HOST: 'tcp://127.0.0.1:9' },
			/needs a running Docker/,
		],
	])('%s is said to be so', (_, env, said) => expect(install(env)).toMatch(said));
});

test('an n8n from an image needs Docker', () => {
	expect(install({ PATH: '' })).toContain('An n8n from an image needs Docker (https://');
});

/** @returns what is said of an image that is nowhere */
function install(env: NodeJS.ProcessEnv): string {
	const script = path.join(hostFolder, 'install.ts');
	const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', script], {
		env: { ...process.env, N8N_IMAGE: '127.0.0.1:9/n8n:1', ...env },
		encoding: 'utf8',
	});
	expect(status).toBe(1);
	return stdout + stderr;
}
