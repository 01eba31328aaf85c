import { detectPort } from 'detect-port';

/**
 * Below what a system hands out by itself (from 32768 on Linux): n8n listens only seconds after its
 * port was chosen, and until then any connection of this machine could be given that port.
 */
const FIRST = 10_000;
const APART = 11; // detectPort looks at ten ports after the one it is given
const PER_PROCESS = 10 * APART;

let next = FIRST + (process.pid % 200) * PER_PROCESS;

/** The given port of 127.0.0.1 if it is free, else another one, which no other call is given. */
export async function freePort(preferred?: number): Promise<number> {
	const port = preferred ?? (next += APART);
	return await detectPort({ port, hostname: '127.0.0.1' });
}
