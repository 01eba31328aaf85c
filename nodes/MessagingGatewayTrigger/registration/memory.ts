import type { Registration } from './store';
import { addressOf } from './url';

/**
 * What this process knows of the registrations of all nodes, of publications and of tests: a node's
 * static data tells of that node alone, and a test's of that test.
 *
 * After a restart only what n8n starts again is known. Then a dead address may be given back, which
 * starts nothing.
 */
const memory = new Map<string, Registration | 'ended'>();

/** Nodes have an address for publications and one for tests. Only what is long past is forgotten. */
const limit = 10_000;

export function remember(registration: Registration): void {
	put(registration.url, registration);
}

/** From now on an address leads nowhere: who borrowed the webhook from it gives it to the one before. */
export function rememberEnd(url: string): void {
	put(url, 'ended');
}

/** The registration with the address of a URL, whatever its secret. Undefined: not known. */
export const recall = (url: string): Registration | 'ended' | undefined =>
	memory.get(addressOf(url));

function put(url: string, entry: Registration | 'ended'): void {
	const address = addressOf(url);
	memory.delete(address); // so that it becomes the newest
	memory.set(address, entry);
	if (memory.size > limit) memory.delete(memory.keys().next().value!);
}
