import { detectPort } from 'detect-port';

/** The given port of 127.0.0.1 if it is free, else another one. */
export async function freePort(preferred = 0): Promise<number> {
	return await detectPort({ port: preferred, hostname: '127.0.0.1' });
}
