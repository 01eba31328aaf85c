import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Side } from './side';

/** What comes in, and how often: ms between two. */
const intervals = { delivery: 500, list: 5_000, audio: 15_000 };

/** Part of the requests that the service does not answer as it should. */
export const faultShare = 0.05;

/** The kinds of faults; each hits an equal part. */
const faults = [
	{ status: 500 },
	{ tooMany: true, retryAfter: 1 },
	{ reset: 'afterAccept' },
	{ delayMs: 3_000 },
] as const;

/** Gives both sides the same until the time has come. */
export async function load(sides: Side[], end: number): Promise<void> {
	// A new connection each time: n8n ends idle ones in the moment in which the next request leaves.
	const agent = new Agent({ connections: 20, pipelining: 0 });
	try {
		for (const { sandbox } of sides) await setFaults(sandbox.client);
		const streams = sides.flatMap(({ urls }) =>
			Object.entries(intervals).map(async ([kind, interval]) => {
				for (let count = 0; Date.now() < end; count++) {
					await post(agent, urls[kind as keyof typeof urls], count);
					await sleep(interval);
				}
			}),
		);
		await Promise.all(streams);
	} finally {
		await agent.close();
	}
}

async function setFaults(client: Side['sandbox']['client']): Promise<void> {
	const share = faultShare / faults.length;
	for (const [index, fault] of faults.entries()) {
		const skip = index / faultShare; // else all would hit the same requests
		await client.fault({ operation: ['sendSms', 'sendAudio'], share, skip, fault });
	}
}

/** @throws Error unless n8n takes it */
async function post(agent: Agent, url: string, count: number): Promise<void> {
	const { statusCode, body } = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			messageId: `message-${count}`,
			status: 'delivered',
			to: `55119${10_000_000 + count}`,
		}),
		dispatcher: agent,
	});
	await body.dump();
	if (statusCode !== 200) throw new Error(`n8n answered ${statusCode}`);
}
