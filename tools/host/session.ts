import { fetchOnce } from './fetchOnce';

/** n8n refused a request, or did not answer with JSON. */
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

/** Authenticated requests to the REST API of n8n's editor. */
export class Session {
	/** `n8n-auth=…`; also signs a browser in. */
	cookie = '';

	constructor(readonly url: string) {}

	async signIn(email: string, password: string): Promise<void> {
		const body = { emailOrLdapLoginId: email, password };
		const response = await this.send('POST', '/rest/login', body);
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

	/** A JSON file that the editor loads. */
	async fetchJson<T>(path: string): Promise<T> {
		const response = await this.send('GET', path);
		return (await response.json()) as T;
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
