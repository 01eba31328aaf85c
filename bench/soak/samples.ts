import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, type Call } from '../inspector';
import type { Nodes, Side } from './side';

const MB = 1024 * 1024;
const INTERVAL = 15_000; // ms

/** What one n8n has at one moment. */
export interface Sample {
	nodes: Nodes;
	minutes: number;
	/** Of the whole process, in MB. */
	resident: number;
	/** What JavaScript objects take after a garbage collection, in MB. */
	live: number;
	/** Open files, sockets and pipes. */
	handles: number;
}

/** Looks at a side again and again until the time has come. */
export async function sample({ nodes, host }: Side, end: number): Promise<Sample[]> {
	const started = Date.now();
	return await inspect(host, async (call) => {
		const samples: Sample[] = [];
		while (Date.now() < end) {
			await sleep(INTERVAL);
			samples.push({
				nodes,
				minutes: (Date.now() - started) / 60_000,
				resident: (host.memory()?.current ?? NaN) / MB,
				live: (await liveHeap(call)) / MB,
				handles: readdirSync(`/proc/${host.pid}/fd`).length,
			});
		}
		return samples;
	});
}

async function liveHeap(call: Call): Promise<number> {
	await call('HeapProfiler.collectGarbage');
	const { usedSize } = (await call('Runtime.getHeapUsage')) as { usedSize: number };
	return usedSize;
}
