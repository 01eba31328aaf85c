import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Host } from '../../host';
import { Bench, type Setup } from '../bench';
import { publish } from '../publish';
import { median, percentile } from '../rounds';
import type { Workload } from '../workload';

const usual = { rounds: 6, perRound: 200 };

const concurrency = 50;

interface Way {
	name: string;
	workflowId: string;
	url: string;
	/** One per round. */
	perSecond: number[];
	/** Of all answers, in ms. */
	latencies: number[];
}

/** How n8n is started. */
interface Configuration {
	title: string;
	env: Record<string, string>;
	/** Target: answers per second relative to the Webhook node, at least. */
	least?: number;
}

const configurations: Configuration[] = [
	{ title: 'n8n as it comes', env: {} },
	{
		title: 'without the shortcut that n8n has for its own node',
		env: { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' },
		least: 0.95,
	},
	{
		title: 'with the shortcut for every node',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		least: 0.95,
	},
];

export const deliveries: Workload = {
	name: 'deliveries',
	title: "Deliveries, beside n8n's own Webhook node",
	text: `1,200 deliveries to this trigger and as many to the Webhook node, which also answers immediately; ${concurrency} at a time, in turns of ${usual.perRound}. Each turn starts when the executions of the last one have ended. Both workflows have a second node that does nothing. Each delivery was answered 200 and executed once. Rates are medians of the ${usual.rounds} turns.

n8n creates a sandbox for expressions (a V8 isolate) for each webhook request and each execution, even without an expression. Only for its own Webhook node does it skip the one of the request (\`webhookPhaseNeedsIsolate\` in n8n's live-webhooks.ts), so no other trigger can reach that rate in a default n8n. With \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`, n8n creates the sandbox only for expressions, which speeds up both.`,
	measure: async (setup) => {
		const rows: string[][] = [];
		for (const { title, env } of configurations) {
			console.log(` ${title}`);
			const ways = await Bench.with(setup, async (bench) => await measure(bench, setup), env);
			rows.push(...ways.map((way, index) => rowOf(way, index === 0 ? [title, ratio(ways)] : [])));
		}
		return {
			columns: ['', '', 'answers per second', 'answer, p50', 'answer, p99', 'ratio'],
			rows,
			targets: configurations.flatMap(({ title, least }, index) =>
				least === undefined
					? []
					: [
							{
								what: `Deliveries, ${title}: Webhook node ÷ this trigger`,
								limit: 1 / least,
								measured: 1 / Number(rows[2 * index]!.at(-1)),
							},
						],
			),
		};
	},
};

async function measure({ host, sandbox, credential }: Bench, { quick }: Setup) {
	const { rounds, perRound } = quick ? { rounds: 1, perRound: 50 } : usual;
	const agent = new Agent({ connections: concurrency });
	try {
		const trigger = await publish(host, {
			type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
			typeVersion: 2,
			parameters: { conflict: 'refuse', options: {} },
			credentials: { messagingGatewayApi: credential },
		});
		const builtIn = await publish(host, {
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { path: 'bench', httpMethod: 'POST' },
		});
		const { url } = await sandbox.client.webhook();
		const ways: [Way, Way] = [
			way('this trigger', trigger, url ?? ''),
			way('Webhook node', builtIn, `${host.url}/webhook/bench`),
		];

		for (const each of ways) await deliver(agent, each.url, perRound); // warms up
		await finished(host, ways, perRound);
		for (let round = 1; round <= rounds; round++) {
			for (const each of round % 2 === 0 ? ways : [...ways].reverse()) {
				const { perSecond, latencies } = await deliver(agent, each.url, perRound);
				each.perSecond.push(perSecond);
				each.latencies.push(...latencies);
				await finished(host, [each], (round + 1) * perRound);
			}
			console.log(`  round ${round}:`, ...ways.map((each) => each.perSecond.at(-1)?.toFixed(1)));
		}
		return ways;
	} finally {
		await agent.close();
	}
}

const rowOf = ({ name, perSecond, latencies }: Way, [title = '', quotient = '']: string[]) => [
	title,
	name,
	median(perSecond).toFixed(1),
	`${percentile(latencies, 0.5).toFixed(0)} ms`,
	`${percentile(latencies, 0.99).toFixed(0)} ms`,
	quotient,
];

const way = (name: string, workflowId: string, url: string): Way => ({
	name,
	workflowId,
	url,
	perSecond: [],
	latencies: [],
});

async function deliver(agent: Agent, url: string, count: number) {
	const latencies: number[] = [];
	const started = performance.now();
	let next = 0;
	const work = async () => {
		while (next < count) {
			const body = JSON.stringify({ messageId: `m-${next++}`, status: 'delivered' });
			const sent = performance.now();
			const response = await request(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body,
				dispatcher: agent,
			});
			await response.body.dump();
			if (response.statusCode !== 200) throw new Error(`Answered ${response.statusCode}`);
			latencies.push(performance.now() - sent);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, work));
	return { latencies, perSecond: (count / (performance.now() - started)) * 1000 };
}

/** Waits until each workflow has run `count` times, so that the ways do not overlap. */
async function finished({ client }: Host, ways: Way[], count: number): Promise<void> {
	for (const { workflowId } of ways) {
		for (;;) {
			const executions = await client.executions(workflowId);
			const ended = executions.filter(({ status }) => status === 'success');
			if (ended.length === count && executions.length === count) break;
			if (executions.length > count)
				throw new Error(`${executions.length} executions, not ${count}`);
			await sleep(500);
		}
	}
}

/** Answers per second of the trigger ÷ the Webhook node. */
const ratio = ([trigger, builtIn]: [Way, Way]): string =>
	(median(trigger.perSecond) / median(builtIn.perSecond)).toFixed(2);
