import { Agent } from 'undici';

/**
 * `fetch` with a new connection. n8n closes idle connections after a few seconds, on a busy machine
 * just as the next request leaves, which then fails with 'other side closed'.
 *
 * It sends no `connection: close`: n8n would then close the connection with its answer, and an early
 * answer to a large body would be lost.
 */
export async function fetchOnce(url: string, init: RequestInit = {}): Promise<Response> {
	const connection = new Agent();
	const options: object = { ...init, dispatcher: connection }; // Node's types come from another undici
	try {
		return await fetch(url, options);
	} finally {
		void connection.close(); // after the answer
	}
}

/** Posts JSON, in the same way. */
export const postJson = async (
	url: string,
	body: object = {},
	more: RequestInit = {},
): Promise<Response> =>
	await fetchOnce(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		...more,
	});
