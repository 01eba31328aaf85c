import { fetchOnce } from './fetchOnce';

/** n8n refused a request, or answered with something else than JSON. */
export class HostRequestError extends Error {
	constructor(
		readonly request: string,
		readonly status: number,
		readonly body: string,
	) {
		super(`${request} → ${status}: ${body.slice(0, 500)}`);
		this.name = 'HostRequestError';
	}
}

/** Signed-in requests to the REST API that n8n's own editor uses. */
export class Session {
	private cookie = '';

	constructor(readonly url: string) {}

	/** As the editor's sign-in page does. */
	async signIn(email: string, password: string): Promise<void> {
		const response = await this.send('POST', '/rest/login', {
			emailOrLdapLoginId: email,
			password,
		});
		this.cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';', 1)[0])
			.join('; ');
	}

	/** The `data` of n8n's answer. */
	async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await this.send(method, path, body);
		const { data } = (await response.json()) as { data: T };
		return data;
	}

	/** A page of n8n's, e.g. a file that the editor loads, as it is. */
	async fetchJson<T>(path: string): Promise<T> {
		const response = await this.send('GET', path);
		return (await response.json()) as T;
	}

	/** `n8n-auth=…`: signs a browser in, too. */
	get cookieHeader(): string {
		return this.cookie;
	}

	private async send(method: string, path: string, body?: object): Promise<Response> {
		const response = await fetchOnce(`${this.url}${path}`, {
			method,
			headers: { cookie: this.cookie, 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		if (!response.ok) {
			throw new HostRequestError(`${method} ${path}`, response.status, await response.text());
		}
		return response;
	}
}
