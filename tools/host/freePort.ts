import { createServer } from 'node:net';
import { detectPort } from 'detect-port';

/**
 * Below the system's ephemeral ports (from 32768 on Linux): n8n starts to listen seconds after its port
 * was chosen, and any connection of this machine could take an ephemeral port in the meantime.
 */
const FIRST = 10_000;
const LAST = 32_000;
const BATCH = 100;

let last = 0;
let end = 0;
let reserving: Promise<void> | undefined;

/** The preferred port of 127.0.0.1 if it is free, or one that no other call of any process gets. */
export async function freePort(preferred?: number): Promise<number> {
	if (preferred !== undefined && (await isFree(preferred))) return preferred;
	while (last >= end) await (reserving ??= reserve());
	const port = ++last;
	return (await isFree(port)) ? port : await freePort();
}

/** Reserves a batch of ports for this process: the process that listens on the first owns them all. */
async function reserve(): Promise<void> {
	for (let first = FIRST; first < LAST; first += BATCH) {
		if (!(await listens(first))) continue;
		last = first;
		end = first + BATCH - 1;
		reserving = undefined;
		return;
	}
	throw new Error(`All ports from ${FIRST} to ${LAST} are reserved`);
}

const listens = async (port: number): Promise<boolean> =>
	await new Promise((resolve) => {
		const server = createServer().unref();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => resolve(true));
	});

const isFree = async (port: number): Promise<boolean> =>
	(await detectPort({ port, hostname: '127.0.0.1' })) === port;
