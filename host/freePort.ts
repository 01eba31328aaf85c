import { createServer } from 'node:net';
import { detectPort } from 'detect-port';

/**
 * Below what a system hands out by itself (from 32768 on Linux): n8n listens only seconds after its
 * port was chosen, and until then any connection of this machine could be given that port.
 */
const FIRST = 10_000;
const LAST = 32_000;
const AT_ONCE = 100;

let last = 0;
let end = 0;
let reserving: Promise<void> | undefined;

/** The given port of 127.0.0.1 if it is free, else one that is given to no other call of any process. */
export async function freePort(preferred?: number): Promise<number> {
	if (preferred !== undefined && (await isFree(preferred))) return preferred;
	while (last >= end) await (reserving ??= reserve());
	const port = ++last;
	return (await isFree(port)) ? port : await freePort();
}

/** Takes ports for this process: whoever listens on the first of them, until it ends, has them all. */
async function reserve(): Promise<void> {
	for (let first = FIRST; first < LAST; first += AT_ONCE) {
		if (!(await listens(first))) continue;
		last = first;
		end = first + AT_ONCE - 1;
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
