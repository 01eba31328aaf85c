/** The n8n and the service of `npm start`, as somebody on this machine or a page on the internet finds them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { freePort, postJson } from '../../tools/host';
import { packageFolder } from '../../tools/host/paths';
import { SEEDS, type AcceptedMessage } from '../../tools/sandbox';

const ownEnvironment = Object.entries(process.env).filter(([name]) => name !== 'NODE_ENV');

describe('the demo', () => {
	let ports: string[];
	let sandboxPort: number;
	let demo: ChildProcess;
	beforeAll(async () => {
		sandboxPort = await freePort();
		ports = ['--port', String(await freePort()), '--sandbox-port', String(sandboxPort)];
	});
	afterAll(async () => {
		if (demo.exitCode === null) process.kill(-demo.pid!, 'SIGKILL');
		const folder = path.join(packageFolder, '.cache/demo', String(sandboxPort));
		// What was killed may still be writing.
		await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
	});

	/** Returns what the demo has printed once it is up. */
	async function start(): Promise<string> {
		demo = spawn(process.execPath, ['--import', 'tsx', 'tools/host/demo.ts', ...ports], {
			cwd: packageFolder,
			env: Object.fromEntries(ownEnvironment),
			detached: true,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let output = '';
		for await (const part of demo.stdout!.iterator({ destroyOnReturn: false })) {
			output += String(part);
			if (output.includes('Press Ctrl-C')) return output;
		}
		throw new Error(output);
	}

	const printed = (output: string, name: string) =>
		new RegExp(`^${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';

	it('has a password of its own, and shows other sites and its readers nothing of n8n', async () => {
		const output = await start();
		const editor = printed(output, 'Editor');
		const signIn = async (password: string) =>
			await postJson(`${editor}/rest/login`, {
				emailOrLdapLoginId: printed(output, 'Email'),
				password,
			});
		expect((await signIn(printed(output, 'Password'))).status).toBe(200);
		const refused = await signIn('Sandbox1');
		expect({ status: refused.status, text: await refused.text() }).toEqual({
			status: 401,
			text: expect.not.stringContaining('node_modules') as string,
		});
		const { headers } = await fetch(editor, { headers: { origin: 'https://example.com' } });
		expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
		expect(headers.get('access-control-allow-origin')).toBeNull();
	}, 600_000);

	it('keeps what the service has accepted when its terminal is closed', async () => {
		await fetch(`http://127.0.0.1:${sandboxPort}/v1/sms/enviar`, {
			method: 'POST',
			headers: { 'x-api-key': SEEDS.apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ to: '5511912345678', msg: 'Kept', tiposms: '1' }),
		});
		const ended = once(demo, 'exit');
		demo.stdout!.destroy();
		process.kill(-demo.pid!, 'SIGHUP');
		expect(await ended).toEqual([0, null]);
		await start();
		const accepted = await fetch(`http://127.0.0.1:${sandboxPort}/_sandbox/accepted`);
		expect((await accepted.json()) as AcceptedMessage[]).toMatchObject([{ text: 'Kept' }]);
	}, 600_000);
});
