import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSandbox, type FaultRule, type Sandbox } from '../../../tools/sandbox';
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

	it('faults, webhook and instance can be set', async () => {
		await client.fault({ operation: 'listApiKeys', fault: { status: 503 } });
		expect((await call(sandbox, 'GET', '/v1/apikeys')).status).toBe(503);
		await client.clearFaults();
		expect((await call(sandbox, 'GET', '/v1/apikeys')).status).toBe(200);
		await expect(client.fault({ fault: { delay: 5 } } as unknown as FaultRule)).rejects.toThrow(
			'400',
		);

		await client.setWebhook({ url: 'http://127.0.0.1:1/', enabled: true });
		expect(await client.webhook()).toEqual({ url: 'http://127.0.0.1:1/', enabled: true });
		await client.advance();
		await client.deliver({ any: 'event' });
		expect(await client.deliveries()).toMatchObject([{ event: { any: 'event' }, status: null }]);

		await client.setInstance({ connected: false });
		expect(sandbox.instance.connected).toBe(false);
	});

	it('campaigns and API keys can be put there and taken out', async () => {
		const path = '/v1/sms/campaign/messages?campaignId=c%2F1';
		const messages = [
			{ messageId: 'a', to: '5511900100001', status: 'queued' },
			{ messageId: 'b', to: '5511900100002', status: 'lida' },
		];
		await client.setCampaign({ channel: 'sms', campaignId: 'c/1', messages });
		await client.setCampaign({ channel: 'sms', campaignId: 'c/1', nome: 'Um', messages });
		expect((await call(sandbox, 'GET', path)).body).toEqual({
			success: true,
			campaigns: [
				{
					campaignId: 'c/1',
					nome: 'Um',
					statistics: { total: 2, queued: 1, sent: 0, delivered: 0, errors: 0, deliveryRate: 0 },
					messages,
				},
			],
		});
		await client.advance();
		expect((await call(sandbox, 'GET', path)).body).toMatchObject({
			campaigns: [{ messages: [{ status: 'sent' }, { status: 'lida' }] }],
		});
		await client.removeCampaign('sms', 'c/1');
		expect((await call(sandbox, 'GET', path)).status).toBe(404);

		const [own] = await client.apiKeys();
		const added = { id: 'k', name: 'K', channel: 'sms', status: 'active', key: 'k-0000-1234' };
		expect(await client.setApiKeys([own!, added])).toMatchObject([own, added]);
		expect((await call(sandbox, 'GET', '/v1/apikeys')).body).toMatchObject([
			{ id: own!.id },
			{ id: 'k', name: 'K', masked_key: '•••••••1234' },
		]);
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
