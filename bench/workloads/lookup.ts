import { outputOf } from '../../host';
import { chain, gateway, node } from '../../testing/workflows';
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
	/** Longest that anybody else had to wait for n8n meanwhile, in ms. */
	longest: number;
	/** Above the idle memory of n8n, in MB. */
	memory: number;
	requests: number;
}

export const lookup: Workload = {
	name: 'lookup',
	title: 'Get Status: 1,000 IDs in 10 campaigns of 100,000 messages',
	text: "Each item names a message and its campaign, the campaigns taking turns. The time is the node's; the service, a process of its own, takes its part of that. Meanwhile n8n is asked every 10 ms whether it is up: the longest of these answers tells for how long the look-up keeps n8n's thread from all else. Memory is that of the whole process above the idle one; a fresh n8n for each figure.",
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

const campaignId = (campaign: number) => uuid(campaign, 0);

/** A campaign, and a message of it, counted from 0. */
const uuid = (campaign: number, message: number) =>
	`${String(campaign).padStart(8, '0')}-0000-4000-8000-${String(message).padStart(12, '0')}`;

async function putCampaigns(bench: Bench, { campaigns, messages }: Size): Promise<void> {
	for (let campaign = 0; campaign < campaigns; campaign++) {
		await bench.sandbox.client.setCampaign({
			channel: 'sms',
			campaignId: campaignId(campaign),
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
