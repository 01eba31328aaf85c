/**
 * `fetch` on a connection of its own. n8n closes one that is kept after a few idle seconds: on a busy
 * machine in the instant in which the next request leaves, which then ends with 'other side closed'.
 */
export async function fetchOnce(url: string, init: RequestInit = {}): Promise<Response> {
	const headers = new Headers(init.headers);
	headers.set('connection', 'close');
	return await fetch(url, { ...init, headers });
}
