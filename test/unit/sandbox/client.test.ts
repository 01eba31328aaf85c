import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../../tools/sandbox';
import { SandboxClient } from '../../../tools/sandbox/client';
import { call, sms } from './http';

const root = join(__dirname, '..', '..', '..');

describe('over HTTP', () => {
	let sandbox: Sandbox;
	let client: SandboxClient;
	beforeAll(async () => {
		sandbox = await startSandbox({ basePath: '/gateway' });
		client = new SandboxClient(sandbox.url);
	});
	afterAll(async () => {
		await client.close();
		await sandbox.close();
	});
	beforeEach(() => client.reset());

	it('the records are the same', async () => {
		const to = '5511900100001';
		await call(sandbox, 'POST', '/v1/sms/enviar', sms(to, 'Olá & tchau'));
		await call(sandbox, 'POST', '/v1/sms/enviar', []);
		expect(await client.credential()).toEqual(sandbox.credential);
		expect(await client.requests()).toEqual(JSON.parse(JSON.stringify(sandbox.requests())));
		expect(await client.requests({ valid: false })).toHaveLength(1);
		expect(await client.requests({ operation: ['sendSms', 'sendMedia'], to })).toHaveLength(1);
		expect(await client.accepted({ channel: 'chatApp' })).toEqual([]);
		expect(await client.timesAccepted({ to, text: 'Olá & tchau' })).toBe(1);
	});
});

describe('alone', () => {
	it('prints its address, moves messages by itself and ends with its parent', async () => {
		const args = [
			'--import',
			'tsx',
			'tools/sandbox/cli.ts',
			'--port=0',
			'--step-ms=20',
			'--with-parent',
		];
		const child = spawn(process.execPath, args, { cwd: root });
		const [output] = (await once(child.stdout, 'data')) as [Buffer];
		const url = /http:\S+?(?=,)/.exec(output.toString())?.[0] ?? '';
		const client = new SandboxClient(url);
		const { apiKey } = await client.credential();
		expect(output.toString()).toContain(apiKey);

		child.stdin.end();
		const [code] = (await once(child, 'exit')) as [number];
		expect(code).toBe(0);
		await client.close();
	});
});
