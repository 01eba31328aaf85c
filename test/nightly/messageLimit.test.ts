/** The example that limits what an account sends in a day and a month, in a real PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { outputOf, type HostClient } from '../../tools/host';
import { prepareExample } from '../../tools/host/examples';
import type { Server } from '../../tools/host/queue';
import { startPostgres } from '../../tools/host/queue/servers';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { chain, gateway, items } from '../../tools/shared/workflows';
import { describeWhereInstalled } from '../e2e/queueMode/describe';
import { sharedHost } from '../e2e/sharedHost';

describeWhereInstalled('a limit of 12 segments a day and 20 a month', () => {
	let sandbox: Sandbox;
	let folder: string;
	let server: Server;
	let client: HostClient;
	let send: (texts: string[], options?: object) => Promise<string>;

	beforeAll(async () => {
		sandbox = await startSandbox();
		folder = await mkdtemp(path.join(os.tmpdir(), 'message-limit-'));
		server = await startPostgres(folder);
		({ client } = await sharedHost());
		const access = { database: 'postgres', user: 'postgres', password: '', ssl: 'disable' };
		const postgres = await client.createCredential(
			{ host: '127.0.0.1', port: server.port, ...access },
			'postgres',
		);
		const limit = await prepareExample(client, 'limit-per-day-postgresql', { postgres });
		const limits = limit.nodes.find(({ name }) => name === 'Limits')!;
		const { assignments } = limits.parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		Object.assign(
			assignments.find(({ name }) => name === 'perDay')!,
			{ value: 12 },
		);
		Object.assign(
			assignments.find(({ name }) => name === 'perMonth')!,
			{ value: 20 },
		);
		const doNotContactWorkflowId = await client.createWorkflow(limit);
		await client.activate(doNotContactWorkflowId);
		const account = await client.createCredential({
			...sandbox.credential,
			doNotContactWorkflowId,
		});
		let count = 1;
		send = async (texts, options = {}) => {
			const rows = texts.map((text) => ({ to: `55119${10_000_000 + count++}`, text }));
			const parameters = { to: '={{ $json.to }}', text: '={{ $json.text }}', options };
			const sms = gateway(account, 'message', 'sendSms', parameters as never);
			const id = await client.createWorkflow(chain('Limited', ...items(...rows), sms));
			const execution = await client.waitForExecution(await client.run(id));
			return outputOf(execution, 'Gateway')
				.map(({ json }) => (json.skipped === true ? '-' : json.segments))
				.join(' ');
		};
	});
	afterAll(async () => {
		await server?.stop();
		await sandbox?.close();
		if (folder) await rm(folder, { recursive: true });
	});

	const long = 'x'.repeat(200); // two segments

	it('counts segments, of several executions at once, and not those of a dry run', async () => {
		expect(await send([long, 'short'], { dryRun: true })).toBe('2 1');
		const three = Array.from({ length: 3 }, () => long);
		const sent = await Promise.all([send(three), send(three), send(three)]);
		const segments = sent.join(' ').split(' ');
		expect(segments.filter((each) => each === '2')).toHaveLength(6); // 12 of 18
		expect(segments.filter((each) => each === '-')).toHaveLength(3);
		expect(sandbox.accepted()).toHaveLength(6);
		expect(await send(['short'])).toBe('-');
		expect(await send(['short'], { dryRun: true })).toBe('-');
	});
});
