import { Agent } from 'undici';

/**
 * `fetch` on a connection of its own. n8n closes one that is kept after a few idle seconds: on a busy
 * machine in the instant in which the next request leaves, which then ends with 'other side closed'.
 *
 * The request does not ask to close it: n8n would do so as soon as it has answered, and what it answers
 * before it has read a large body would be lost with the rest of that.
 */
export async function fetchOnce(url: string, init: RequestInit = {}): Promise<Response> {
	const connection = new Agent();
	const options: object = { ...init, dispatcher: connection }; // Node's types are of another undici
	try {
		return await fetch(url, options);
	} finally {
		void connection.close(); // once the answer is there
	}
}
