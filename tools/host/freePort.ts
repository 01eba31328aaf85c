import { detectPort } from 'detect-port';

/**
 * Below the system's ephemeral ports (from 32768 on Linux), since n8n starts to listen seconds after its
 * port was chosen, and any connection could take an ephemeral one meanwhile. Each process begins elsewhere,
 * those of neighbouring ids far apart.
 */
let next = 10_000 + ((process.pid * 37) % 220) * 100;

/** Returns the preferred port of 127.0.0.1 if it is free, else one that no other call gets. */
export async function freePort(preferred = next++): Promise<number> {
	const found = await detectPort({ port: preferred, hostname: '127.0.0.1' });
	return found === preferred ? preferred : await freePort();
}
