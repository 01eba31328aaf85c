/** The status trigger under both of n8n's schedulers: n8n 2.45 has the durable one on by default. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startHost, type Host } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { setStatuses, StatusWorkflow } from '../e2e/statusTrigger/workflow';

const durable = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// In seconds, so that each poll begins at its time.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** Every ten seconds; n8n refuses a single rule that polls more often than every minute. */
const pollTimes = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

const limit = 300_000; // ms; n8n waits longer after each failed poll

describe.each<[string, Record<string, string>]>([
	['in memory', { N8N_SCHEDULER_ENABLED: 'false' }],
	['durable', durable],
])('scheduler: %s', (_, env) => {
	let userFolder: string;
	let host: Host;
	let sandbox: Sandbox;
	let workflow: StatusWorkflow;

	const start = async () => await startHost({ userFolder, env });
	const set = (statuses: Record<string, string>) => setStatuses(sandbox, statuses);

	/** Waits for further polls, which would report a change again. */
	const polls = async (count: number) => {
		const before = sandbox.requests().length;
		const havePassed = () => sandbox.requests().length >= before + count;
		await until('the trigger has polled', havePassed, { limit });
	};

	async function isTold(...changes: string[]) {
		const all = async () => (await workflow.told()).length >= changes.length;
		await until(`${changes.length} changes are reported`, all, { limit });
		await polls(2);
		expect(await workflow.told()).toEqual(changes);
	}

	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-schedulers-'));
		sandbox = await startSandbox();
		host = await start();
	});
	afterAll(async () => {
		await host?.stop();
		await sandbox?.close();
		await rm(userFolder, { recursive: true, force: true });
	});

	it(
		'each change is reported once: after a failure, a stop and a kill, too',
		async () => {
			expect(host.logs().includes('Scheduler started')).toBe(env === durable);
			set({ a: 'queued', b: 'sent' });
			const ticker = () => ({ client: host.client, tick: () => {} });
			workflow = await StatusWorkflow.create(ticker, sandbox.credential, { pollTimes });
			await workflow.publish();
			await polls(3);
			set({ a: 'sent', b: 'sent' });
			await isTold('a queued → sent');

			sandbox.fault({ fault: { status: 503 } });
			const failed = async () =>
				(await workflow.executions()).some(({ status }) => status === 'error');
			await until('the failure is reported', failed, { limit });
			set({ a: 'sent', b: 'delivered' });
			sandbox.clearFaults();
			const changes = ['a queued → sent', 'b sent → delivered'];
			await isTold(...changes);

			for (const [how, status] of [
				['stop', 'delivered'],
				['kill', 'error'],
			] as const) {
				await host[how]();
				const before = changes.at(-1)!.startsWith('a') ? 'delivered' : 'sent';
				changes.push(`a ${before} → ${status}`);
				set({ a: status, b: 'delivered' });
				host = await start();
				await isTold(...changes);
			}
			const statuses = (await workflow.executions()).map(({ status }) => status);
			expect(statuses).toEqual(['success', 'error', 'success', 'success', 'success']);
		},
		6 * limit,
	);
});
