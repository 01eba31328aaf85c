/**
 * How fast the trigger answers deliveries, beside n8n's own Webhook node: `npm run bench:trigger`,
 * after `npm run build`. Writes docs/benchmarks-trigger.md; with `-- --quick` it only shows that it works.
 */
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { startHost, type Host, type WorkflowJson } from '../host';
import { startSandbox } from '../sandbox';
import { saveResult } from './report';
import { median } from './rounds';
import { atOnce, usual, writeTriggerReport } from './triggerReport';
import type { Measurement } from './workload';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = values.quick ? 1 : usual.rounds;
const perRound = values.quick ? 50 : usual.perRound;

interface Way {
	name: string;
	workflowId: string;
	url: string;
	/** One per round. */
	perSecond: number[];
	/** Of all answers, in ms. */
	latencies: number[];
}

interface Result extends Configuration {
	ways: [Way, Way];
}

/** How n8n is started. */
interface Configuration {
	title: string;
	env: Record<string, string>;
}

const configurations: Configuration[] = [
	{ title: 'n8n as it comes', env: {} },
	{
		title: 'without the shortcut that n8n has for its own node',
		env: { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' },
	},
	{
		title: 'with the shortcut for every node',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	},
];

async function main(): Promise<void> {
	const results: Result[] = [];
	for (const configuration of configurations) {
		console.log(configuration.title);
		results.push({ ...configuration, ways: await measure(configuration) });
	}
	const measurement = summarize(results);
	console.table([measurement.columns, ...measurement.rows]);
	if (values.quick) return;
	saveResult({}, 'trigger', measurement, { 'Load average after': load() });
	await writeTriggerReport();
}

async function measure({ env }: Configuration): Promise<[Way, Way]> {
	const sandbox = await startSandbox();
	const host = await startHost({ env });
	const agent = new Agent({ connections: atOnce });
	try {
		const credential = await host.client.createCredential(sandbox.credential);
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
		const ways: [Way, Way] = [
			way('this trigger', trigger, sandbox.webhook.url ?? ''),
			way('Webhook node', builtIn, `${host.url}/webhook/bench`),
		];

		for (const each of ways) await deliver(agent, each.url, perRound); // code is compiled
		await finished(host, ways, perRound);
		for (let round = 1; round <= rounds; round++) {
			// In turns, each first in every second round.
			for (const each of round % 2 === 0 ? ways : [...ways].reverse()) {
				const { perSecond, latencies } = await deliver(agent, each.url, perRound);
				each.perSecond.push(perSecond);
				each.latencies.push(...latencies);
				await finished(host, [each], (round + 1) * perRound);
			}
			console.log(`round ${round}:`, ...ways.map((each) => each.perSecond.at(-1)?.toFixed(1)));
		}
		return ways;
	} finally {
		await agent.close();
		await host.stop();
		await sandbox.close();
	}
}

/** @returns the id of a published workflow of this node and one that does nothing */
async function publish(
	{ client }: Host,
	node: Pick<WorkflowJson['nodes'][number], 'type' | 'typeVersion' | 'parameters' | 'credentials'>,
): Promise<string> {
	const end = { name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const id = await client.createWorkflow({
		name: node.type,
		nodes: [
			{ ...node, name: 'Start', id: randomUUID(), webhookId: randomUUID(), position: [0, 0] },
			{ ...end, id: randomUUID(), position: [220, 0] },
		],
		connections: { Start: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
	});
	const { status } = await client.activate(id);
	if (status !== 'published') throw new Error(`${node.type}: ${status}`);
	return id;
}

const way = (name: string, workflowId: string, url: string): Way => ({
	name,
	workflowId,
	url,
	perSecond: [],
	latencies: [],
});

/** Delivers so often, 50 at a time, until all are answered. */
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
	await Promise.all(Array.from({ length: atOnce }, work));
	return { latencies, perSecond: (count / (performance.now() - started)) * 1000 };
}

/** Waits until each way's workflow has run so often, so that one way's executions are not the other's. */
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

function summarize(results: Result[]): Measurement {
	const rows = results.flatMap(({ title, ways }) =>
		ways.map(({ name, perSecond, latencies }, index) => [
			index === 0 ? title : '',
			name,
			median(perSecond).toFixed(1),
			`${percentile(latencies, 0.5).toFixed(0)} ms`,
			`${percentile(latencies, 0.99).toFixed(0)} ms`,
			index === 0 ? ratio(ways).toFixed(2) : '',
		]),
	);
	return {
		columns: ['', '', 'answers per second', 'answer, p50', 'answer, p99', 'ratio'],
		rows,
		targets: [],
	};
}

/** Answers per second of the trigger, divided by those of the Webhook node. */
const ratio = ([trigger, builtIn]: [Way, Way]): number =>
	median(trigger.perSecond) / median(builtIn.perSecond);

const load = () =>
	os
		.loadavg()
		.map((average) => average.toFixed(1))
		.join(', ');

const percentile = (numbers: number[], part: number): number =>
	[...numbers].sort((a, b) => a - b)[Math.floor(part * (numbers.length - 1))] ?? NaN;

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
