import type { Profiler } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'undici';
import type { Host } from '../host';

const interval = 500; // µs between two samples

/** Takes a CPU profile of n8n while a task runs. */
export async function profile(host: Host, task: () => Promise<void>): Promise<Profiler.Profile> {
	const socket = new WebSocket(await openInspector(host));
	await once(socket, 'open');
	await call(socket, 'Profiler.enable');
	await call(socket, 'Profiler.setSamplingInterval', { interval });
	await call(socket, 'Profiler.start');
	await task();
	const result = await call(socket, 'Profiler.stop');
	socket.close();
	return (result as { profile: Profiler.Profile }).profile;
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

async function call(socket: WebSocket, method: string, params: object = {}): Promise<unknown> {
	const id = ++lastId;
	socket.send(JSON.stringify({ id, method, params }));
	for (;;) {
		const { data } = (await once(socket, 'message')) as MessageEvent;
		const answer = JSON.parse(String(data)) as { id?: number; result?: unknown };
		if (answer.id === id) return answer.result;
	}
}

const once = async (socket: WebSocket, type: 'open' | 'message'): Promise<unknown> =>
	await new Promise((resolve, reject) => {
		socket.addEventListener(type, resolve, { once: true });
		socket.addEventListener('error', () => reject(new Error('Lost the inspector')), { once: true });
	});
