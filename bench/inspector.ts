import type { Profiler } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import type { Host } from '../host';

const interval = 500; // µs between two samples

/** Calls a method of n8n's inspector and gives its result. */
export type Call = (method: string, params?: object) => Promise<unknown>;

/** Takes a CPU profile of n8n while a task runs. */
export const profile = async (host: Host, task: () => Promise<void>): Promise<Profiler.Profile> =>
	await inspect(host, async (call) => {
		await call('Profiler.enable');
		await call('Profiler.setSamplingInterval', { interval });
		await call('Profiler.start');
		await task();
		return ((await call('Profiler.stop')) as { profile: Profiler.Profile }).profile;
	});

/** Does something with n8n's inspector. */
export async function inspect<T>(host: Host, task: (call: Call) => Promise<T>): Promise<T> {
	const socket = new WebSocket(await openInspector(host));
	await once(socket, 'open');
	try {
		return await task(async (method, params = {}) => await call(socket, method, params));
	} finally {
		socket.close();
	}
}

/** SIGUSR1 makes Node.js listen for a debugger and log where. */
async function openInspector(host: Host): Promise<string> {
	const url = () => [...host.logs().matchAll(/listening on (ws:\S+)/g)].at(-1)?.[1];
	process.kill(host.pid, 'SIGUSR1');
	for (let tries = 0; tries < 100; tries++) {
		const found = url();
		if (found) return found;
		await sleep(100);
	}
	throw new Error('n8n did not open its inspector');
}

let lastId = 0;

async function call(socket: WebSocket, method: string, params: object): Promise<unknown> {
	const id = ++lastId;
	socket.send(JSON.stringify({ id, method, params }));
	for (;;) {
		const { data } = (await once(socket, 'message')) as MessageEvent;
		const answer = JSON.parse(String(data)) as { id?: number; result?: unknown };
		if (answer.id === id) return answer.result;
	}
}

async function once(socket: WebSocket, type: 'open' | 'message'): Promise<unknown> {
	const settled = new AbortController(); // ends the listening for the other
	try {
		return await new Promise((resolve, reject) => {
			const { signal } = settled;
			socket.addEventListener(type, resolve, { signal });
			socket.addEventListener('error', () => reject(new Error('Lost the inspector')), { signal });
		});
	} finally {
		settled.abort();
	}
}
