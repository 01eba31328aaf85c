/** The status trigger under n8n's durable scheduler, which n8n 2.45 has on by default. */
import { until } from '../../tools/host/until';
import { runningClock } from '../e2e/environment';
import { useOwnHost } from '../e2e/sharedHost';
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

const host = useOwnHost({ ...durable, ...runningClock });

it(
	'each change is reported once: after a failure, a stop and a kill, too',
	async () => {
		expect(host.logs()).toContain('Scheduler started');
		const { sandbox } = host;
		const changes: string[] = [];
		const set = (statuses: Record<string, string>) => setStatuses(sandbox, statuses);
		/** Waits for further polls, which would report a change again. */
		const polls = async (count: number) => {
			const before = sandbox.requests().length;
			const havePassed = () => sandbox.requests().length >= before + count;
			await until('the trigger has polled', havePassed, { limit });
		};
		const isTold = async (change: string) => {
			changes.push(change);
			const all = async () => (await workflow.told()).length >= changes.length;
			await until(`${changes.length} changes are reported`, all, { limit });
			await polls(2);
			expect(await workflow.told()).toEqual(changes);
		};

		set({ a: 'queued', b: 'sent' });
		const workflow = await StatusWorkflow.create(host, sandbox.credential, { pollTimes });
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
		await isTold('b sent → delivered');

		await host.stop();
		set({ a: 'delivered', b: 'delivered' });
		await host.startAgain();
		await isTold('a sent → delivered');
		await host.kill();
		set({ a: 'error', b: 'delivered' });
		await host.startAgain();
		await isTold('a delivered → error');
		const statuses = (await workflow.executions()).map(({ status }) => status);
		expect(statuses.filter((status) => status !== 'error')).toEqual(Array(4).fill('success'));
	},
	6 * limit,
);
