import { outputOf } from '../../host';
import { chain, gateway, node } from '../../shared/workflows';
import { Bench, nodeTime } from '../bench';
import { Pings } from '../pings';
import { median, spread } from '../rounds';
import type { Workload } from '../workload';

const MB = 1024 * 1024;

const ways = [
	{ name: 'one campaign at a time', maxConcurrency: 1 },
	{ name: 'all campaigns at once', maxConcurrency: 10 },
] as const;

interface Size {
	ids: number;
	campaigns: number;
	/** Of each campaign. */
	messages: number;
}

interface Figures {
	/** Of the node, in s. */
	seconds: number;
	/** Longest answer of n8n to other requests, in ms. */
	longest: number;
	/** Above idle, in MB. */
	memory: number;
	requests: number;
}

export const lookup: Workload = {
	name: 'lookup',
	title: 'Get Status: 1,000 IDs in 10 campaigns of 100,000 messages',
	text: "Each item has a message ID and a campaign, the campaigns in turns. The time is that of the node, including the service, a separate process. Every 10 ms, n8n has to answer a health check: the longest answer shows how long the look-up blocks n8n's thread. Memory is that of the whole process above its idle memory, in a new n8n for each figure.",
	measure: async (setup) => {
		const size = setup.quick
			? { ids: 100, campaigns: 10, messages: 100 }
			: { ids: 1_000, campaigns: 10, messages: 100_000 };
		const figures = ways.map(() => [] as Figures[]);
		for (let round = 0; round < (setup.quick ? 1 : 3); round++) {
			for (const [index, { name, maxConcurrency }] of ways.entries()) {
				const found = await Bench.with(setup, async (bench) => {
					await putCampaigns(bench, size);
					return await measureLookup(bench, size, maxConcurrency);
				});
				figures[index]!.push(found);
				console.log(`  round ${round + 1}  ${name}`, found);
			}
		}
		const of = (index: number, key: keyof Figures) => figures[index]!.map((each) => each[key]);
		return {
			columns: ['Max Concurrency', 's', 'longest answer of n8n, ms', 'MB above idle', 'requests'],
			rows: ways.map(({ name, maxConcurrency }, index) => [
				`${maxConcurrency}: ${name}`,
				spread(of(index, 'seconds'), 1),
				spread(of(index, 'longest'), 0),
				spread(of(index, 'memory'), 0),
				spread(of(index, 'requests'), 0),
			]),
			targets: [
				{
					what: '1,000 IDs in 10 campaigns of 100,000 messages: requests',
					unit: '',
					limit: size.campaigns,
					measured: median(of(1, 'requests')),
				},
			],
		};
	},
};

const uuid = (campaign: number, message: number) =>
	`${String(campaign).padStart(8, '0')}-0000-4000-8000-${String(message).padStart(12, '0')}`;

async function putCampaigns(bench: Bench, { campaigns, messages }: Size): Promise<void> {
	for (let campaign = 0; campaign < campaigns; campaign++) {
		await bench.sandbox.client.setCampaign({
			channel: 'sms',
			campaignId: uuid(campaign, 0),
			messages: Array.from({ length: messages }, (_, message) => ({
				messageId: uuid(campaign, message),
				to: String(5_511_900_000_000 + message),
				status: 'delivered',
			})),
		});
	}
}

async function measureLookup(
	bench: Bench,
	{ ids, campaigns, messages }: Size,
	maxConcurrency: number,
): Promise<Figures> {
	const { host, sandbox } = bench;
	const campaign = `String($itemIndex % ${campaigns}).padStart(8, '0')`;
	const message = `String($itemIndex * 97 % ${messages}).padStart(12, '0')`;
	const workflow = chain(
		'Look-up',
		node('Items', 'CUSTOM.benchItems', { count: ids }),
		gateway(bench.credential, 'message', 'getStatus', {
			channel: 'sms',
			messageId: `={{ ${campaign} + '-0000-4000-8000-' + ${message} }}`,
			options: {
				campaignId: `={{ ${campaign} + '-0000-4000-8000-000000000000' }}`,
				notFound: 'error',
				maxConcurrency,
			},
		}),
	);
	const id = await host.client.createWorkflow(workflow);
	const pings = new Pings(`${host.url}/healthz`);
	const before = (await sandbox.client.requests()).length;
	let execution: Awaited<ReturnType<Bench['run']>> | undefined;
	const memory = await bench.peakOverIdle(async () => {
		execution = await bench.run(id);
	});
	await pings.stop();
	const found = outputOf(execution!, 'Gateway').length;
	if (found !== ids) throw new Error(`${found} of ${ids} found: ${execution!.error?.message}`);
	const requests = (await sandbox.client.requests()).slice(before);
	const start = Math.min(...requests.map(({ at }) => at));
	return {
		seconds: nodeTime(execution!, 'Gateway') / 1000,
		longest: pings.longest(start, Date.now()),
		memory: memory / MB,
		requests: requests.length,
	};
}
