import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../../sandbox/types';
import { Bench } from '../bench';
import { spread } from '../rounds';
import { smsWorkflow, warmUp } from '../sms';
import { smsNode } from '../ways';
import type { Workload } from '../workload';

interface Case {
	name: string;
	fault: FaultRule;
	/** Requests that the service has got when Stop is clicked. */
	requests: number;
}

/** The pause comes last, and asks for little: it holds for the account, and so for the next round. */
const cases: Case[] = [
	{ name: 'with 900 of 1,000 pending', fault: { fault: { delayMs: 50 } }, requests: 100 },
	{
		name: 'in the wait after a 429',
		fault: { fault: { tooMany: true, retryAfter: 10 } },
		requests: 1,
	},
];

/** How long the service is watched for requests that should not come, in ms. */
const watched = 3_000;

export const cancel: Workload = {
	name: 'cancel',
	title: 'Stop clicked while 1,000 SMS are sent',
	text: 'From the click, which n8n takes as a REST request, until the execution has ended. The service is watched for three seconds more.',
	picture: { columns: ['ms'] },
	measure: async (setup) =>
		await Bench.with(setup, async (bench) => {
			if (!setup.quick) await warmUp(bench, ['package']);
			const results = [];
			for (const { name, ...rest } of cases) {
				const rounds = [];
				for (let round = 0; round < (setup.quick ? 1 : 5); round++) {
					rounds.push(await stop(bench, rest));
				}
				const times = rounds.map(({ ms }) => ms);
				const after = rounds.map(({ requestsAfter }) => requestsAfter);
				results.push({ name, times, requestsAfter: Math.max(...after) });
			}
			return {
				columns: ['', 'ms', 'requests after it'],
				rows: results.map(({ name, times, requestsAfter }) => [
					name,
					spread(times, 0),
					String(requestsAfter),
				]),
				targets: results.flatMap(({ name, times, requestsAfter }) => [
					{ what: `Stop ${name}: time`, unit: 'ms', limit: 1000, measured: Math.max(...times) },
					{ what: `Stop ${name}: requests after`, unit: '', limit: 0, measured: requestsAfter },
				]),
			};
		}),
};

async function stop(bench: Bench, { fault, requests }: Omit<Case, 'name'>) {
	const { client } = bench.host;
	const service = bench.sandbox.client;
	await service.reset();
	await service.fault(fault);
	const workflow = smsWorkflow(1000, smsNode('package', bench.credential));
	const execution = await client.run(await client.createWorkflow(workflow));
	while ((await service.requests()).length < requests) await sleep(20);

	const clicked = Date.now();
	await client.cancel(execution);
	const { status } = await client.waitForExecution(execution);
	const ended = Date.now();
	if (status !== 'canceled') throw new Error(`The execution ended as ${status}`);
	await sleep(watched);
	const late = (await service.requests()).filter(({ at }) => at > ended);
	return { ms: ended - clicked, requestsAfter: late.length };
}
