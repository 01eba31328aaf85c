import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../host/until';
import { node } from '../../shared/workflows';
import { Bench } from '../bench';
import { Pings } from '../pings';
import { median, spread } from '../rounds';
import type { Workload } from '../workload';

const MB = 1024 * 1024;

const polls = [
	'first poll',
	'no changes',
	'all changed, none passes the filter',
	'all changed, all in the output',
] as const;

interface Figures {
	/** From the first request to the last answer, in s. */
	seconds: number;
	/** Longest answer of n8n to other requests, in ms. */
	longest: number;
	/** Above idle, until the end of an execution, in MB. */
	memory: number;
	/** Of the stored state, in MB. */
	state: number;
}

interface Size {
	campaigns: number;
	/** Of each campaign. */
	messages: number;
}

export const status: Workload = {
	name: 'status',
	title: 'Status trigger: a poll of 100 campaigns with 1,000 messages each',
	text: "The time from the first request of a poll to its last answer, including the service, a separate process. Every 10 ms, n8n has to answer a health check: the longest answer shows how long a poll blocks n8n's thread. Memory is that of the whole process above its idle memory. With all changes in the output, it includes n8n's own memory for an execution of 100,000 items.",
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			const size = setup.quick
				? { campaigns: 10, messages: 100 }
				: { campaigns: 100, messages: 1000 };
			const figures = polls.map(() => [] as Figures[]);
			for (let round = 0; round < (setup.quick ? 1 : 5); round++) {
				for (const [index, found] of (await measureRound(bench, size)).entries()) {
					figures[index]!.push(found);
					console.log(`  round ${round + 1}  ${polls[index]}`, found);
				}
			}
			const of = (index: number, key: keyof Figures) => figures[index]!.map((each) => each[key]);
			return {
				columns: ['poll', 's', 'longest answer of n8n, ms', 'MB above idle', 'MB of state'],
				rows: polls.map((name, index) => [
					name,
					spread(of(index, 'seconds'), 2),
					spread(of(index, 'longest'), 0),
					spread(of(index, 'memory'), 0),
					spread(of(index, 'state'), 2),
				]),
				targets: [
					{
						what: '100,000 messages in one poll: longest answer of n8n',
						unit: 'ms',
						limit: 500,
						measured: median(of(2, 'longest')),
					},
					{
						what: '100,000 messages in one poll: state',
						unit: 'MB',
						limit: 2,
						measured: Math.max(...of(2, 'state')),
					},
				],
			};
		}),
};

/** One poll of each kind, in separate workflows. */
async function measureRound(bench: Bench, size: Size): Promise<Figures[]> {
	const { client } = bench.sandbox;
	await client.reset();
	const ids = await putCampaigns(bench, size);
	const all = await createWorkflow(bench, ids, '');
	const none = await createWorkflow(bench, ids, 'nobody has this status');
	const first = await measurePoll(bench, all, size);
	const unchanged = await measurePoll(bench, all, size);
	await measurePoll(bench, none, size);
	await client.advance();
	const filtered = await measurePoll(bench, none, size);
	const changed = await measurePoll(bench, all, size, true);
	return [first, unchanged, filtered, changed];
}

async function putCampaigns(bench: Bench, { campaigns, messages }: Size): Promise<string[]> {
	const ids = Array.from({ length: campaigns }, () => randomUUID());
	for (const campaignId of ids) {
		await bench.sandbox.client.setCampaign({
			channel: 'sms',
			campaignId,
			messages: Array.from({ length: messages }, (_, index) => ({
				messageId: randomUUID(),
				to: String(5511900100000 + index),
				status: 'queued',
			})),
		});
	}
	return ids;
}

async function createWorkflow(bench: Bench, ids: string[], statuses: string): Promise<string> {
	// Never during the measurement: publishing polls.
	const time = { mode: 'everyDay', hour: (new Date().getHours() + 12) % 24, minute: 0 };
	const trigger = node(
		'Status',
		'n8n-nodes-messaging-gateway.messagingGatewayStatusTrigger',
		{
			event: 'messageStatusChanged',
			channel: 'sms',
			campaignIds: ids.join('\n'),
			options: { statuses },
			pollTimes: { item: [time] },
		},
		{ credentials: { messagingGatewayApi: bench.credential } },
	);
	return await bench.host.client.createWorkflow({
		name: 'Status',
		nodes: [{ ...trigger, id: randomUUID(), position: [0, 0] }],
		connections: {},
	});
}

/** Publishing polls once, with the state stored before. */
async function measurePoll(
	{ host, sandbox }: Bench,
	workflowId: string,
	{ campaigns, messages }: Size,
	startsWorkflow = false,
): Promise<Figures> {
	const before = (await sandbox.client.requests()).length;
	await sleep(2_000); // lets requests finish
	const idle = host.memory()?.current ?? NaN;
	host.resetPeakMemory();
	const pings = new Pings(`${host.url}/healthz`);
	const { status: outcome } = await host.client.activate(workflowId);
	if (outcome !== 'published') throw new Error(`Publishing: ${outcome}`);
	if (startsWorkflow) await ended(host.client, workflowId);
	await pings.stop();
	const memory = ((host.memory()?.peak ?? NaN) - idle) / MB;
	await host.client.deactivate(workflowId);

	const requests = (await sandbox.client.requests()).slice(before);
	if (requests.length !== campaigns) throw new Error(`${requests.length} requests`);
	const start = Math.min(...requests.map(({ at }) => at));
	const end = Math.max(...requests.map(({ answeredAt }) => answeredAt ?? NaN));
	const stored = JSON.stringify(await host.client.staticData(workflowId)).length;
	if (stored < campaigns * messages * 12) throw new Error(`${stored} bytes of state`);
	const longest = pings.longest(start, end);
	return { seconds: (end - start) / 1000, longest, memory, state: stored / 1e6 };
}

async function ended(client: Bench['host']['client'], workflowId: string): Promise<void> {
	await until(
		'the workflow has run',
		async () => {
			const executions = await client.executions(workflowId).catch(() => []);
			return executions.length > 0 && executions.every(({ status: each }) => each === 'success');
		},
		{ interval: 1_000, limit: 600_000 },
	);
}
