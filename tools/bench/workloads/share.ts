import { request } from 'undici';
import { startCrm, type Crm } from '../../shared/crm';
import { Bench, type Setup } from '../bench';
import { publish } from '../publish';
import { percentile } from '../rounds';
import type { Workload } from '../workload';

const usualCount = 500;

/** A target of deliveries. */
interface Way {
	name: string;
	url: string;
	/** In ms. */
	latencies: number[];
	answers: Set<string>;
}

export const share: Workload = {
	name: 'share',
	title: 'Share: deliveries that go on to a CRM',
	text: `${usualCount} deliveries each: directly to a CRM that answers 202 at once, through one trigger with *Share*, and through three of them. In turns, one delivery at a time, on one machine. The answers are the same; n8n adds time for each trigger on the way.`,
	measure: async (setup) => {
		const crm = await startCrm();
		try {
			return await Bench.with(setup, async (bench) => tableOf(await measure(bench, crm, setup)));
		} finally {
			await crm.close();
		}
	},
};

async function measure({ host, sandbox, credential }: Bench, crm: Crm, { quick }: Setup) {
	const ways: Way[] = [wayTo('CRM alone', crm.url)];
	await sandbox.client.setWebhook({ url: crm.url, enabled: true });
	for (const name of ['one trigger', 'two triggers', 'three triggers']) {
		await publish(host, {
			type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
			typeVersion: 2,
			parameters: { conflict: 'share', options: {} },
			credentials: { messagingGatewayApi: credential },
		});
		const { url } = await sandbox.client.webhook();
		if (name !== 'two triggers') ways.push(wayTo(name, url!));
	}
	const count = quick ? 20 : usualCount;
	for (let round = 0; round < count; round++) {
		for (const way of ways) await deliver(way, `${way.name} ${round}`);
	}
	return ways;
}

const wayTo = (name: string, url: string): Way => ({
	name,
	url,
	latencies: [],
	answers: new Set(),
});

async function deliver({ url, latencies, answers }: Way, messageId: string): Promise<void> {
	const sent = performance.now();
	const response = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ messageId, status: 'delivered' }),
	});
	const body = await response.body.text();
	latencies.push(performance.now() - sent);
	answers.add(`${response.statusCode} ${body}`);
}

function tableOf(ways: Way[]) {
	const at = ({ latencies }: Way, part: number) => percentile(latencies, part);
	const same = new Set(ways.flatMap(({ answers }) => [...answers])).size === 1;
	return {
		columns: ['', 'answers', 'time to the answer, p50', 'p99', 'added, p50'],
		rows: ways.map((way) => [
			way.name,
			[...way.answers].join(', '),
			`${at(way, 0.5).toFixed(1)} ms`,
			`${at(way, 0.99).toFixed(1)} ms`,
			`${(at(way, 0.5) - at(ways[0]!, 0.5)).toFixed(1)} ms`,
		]),
		targets: [
			{ what: 'Share: kinds of answers', unit: '' as const, limit: 1, measured: same ? 1 : 2 },
		],
	};
}
