import {
	UserError,
	type ICredentialDataDecryptedObject as Credential,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { inProcess, entryOf } from './maps';
import { secretOf } from './credential';

/**
 * Adds the API key (interface §5) and, on chat-app paths (`/v2/…`) only, the instance token. They
 * never reach another origin than the credential's `baseUrl`: redirects are not followed.
 *
 * n8n's HTTP Request node still passes the options of its older request helper, such as `uri`: they are
 * set, too.
 *
 * @throws UserError when the request goes to another origin, `baseUrl` is not an address, or the key
 * cannot be sent
 */
export function authenticate<T extends IHttpRequestOptions>(
	credential: Credential,
	options: T & { uri?: string },
): T {
	const base = parseBaseUrl(credential);
	const target = new URL(options.url ?? options.uri ?? '', options.baseURL ?? base);
	rejectUserName(target, credential);

	if (target.origin !== base.origin) {
		throw new UserError(
			`The Messaging Gateway credential is for ${base.origin} only, so it was not sent to ${target.origin}`,
		);
	}

	const { apiKey, instanceToken } = secretsOf(credential);
	const headers = {
		...options.headers,
		...(credential.sendKeyAs === 'bearer'
			? { Authorization: `Bearer ${apiKey}` }
			: { 'X-API-Key': apiKey }),
		...(instanceToken && isChatApp(target, base) && { 'X-Instance-Token': instanceToken }),
	};
	const noRedirect = { disableFollowRedirect: true, followRedirect: false };
	const anyServer = { skipSslCertificateValidation: true, rejectUnauthorized: false };
	const more = credential.allowUnauthorizedCerts === true && anyServer;
	return Object.assign(options, { headers, followAllRedirects: false }, noRedirect, more);
}

/** For example `api.example.com/gateway`. */
const withoutScheme = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/;

/**
 * The credential's base URL, https by default, without a trailing slash or what belongs to the
 * endpoints (interface §4). A path prefix stays.
 *
 * @throws UserError when it is not an http or https address, or would replace the bearer token
 */
export function parseBaseUrl(credential: Credential): Readonly<URL> {
	const entered = String(credential.baseUrl ?? '').trim();
	const url = entryOf(baseUrls, entered, () => parseAddress(entered));
	rejectUserName(url, credential);
	return url;
}

/** The beginning of the interface's paths, or a whole one as documentation shows it. */
const ofEndpoints = /\/+v[12](\/+(apikeys|sms|[^/]+\/+(campaign|instance|message))(\/.*)?)?$/i;

/** By what was entered: the latest 100. Parsing takes longer than the rest of authentication. */
const baseUrls = inProcess.map<Readonly<URL>>(100);

function parseAddress(entered: string): URL {
	const text = withoutScheme.test(entered) ? `https://${entered}` : entered;
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new UserError("'Base URL' in the Messaging Gateway credential is not a web address", {
			description: 'Enter the full address of the service, e.g. https://api.example.com',
		});
	}
	url.search = '';
	url.hash = '';
	url.pathname = url.pathname.replace(/\/+$/, '').replace(ofEndpoints, '');
	return url;
}

/** n8n sends a user name in an address as the header that would contain the bearer token. */
function rejectUserName({ username, password }: Readonly<URL>, { sendKeyAs }: Credential): void {
	if (sendKeyAs !== 'bearer' || `${username}${password}` === '') return;
	throw new UserError(
		"'Base URL' in the Messaging Gateway credential contains a user name before its @",
		{
			description:
				"Remove it, or set 'Send API Key As' to API Key Header. With a bearer token, n8n sends the user name instead of the API key.",
		},
	);
}

export const addressBelow = (base: Readonly<URL>, path: string): string =>
	base.href.replace(/\/$/, '') + path;

const isChatApp = (target: URL, base: Readonly<URL>): boolean =>
	target.pathname.startsWith(`${base.pathname.replace(/\/$/, '')}/v2/`);

/** What no header can contain; the service masks keys with such characters (interface §2.1). */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** @throws UserError when there is no key, or the key or the token cannot be sent */
export function secretsOf(credential: Credential): { apiKey: string; instanceToken: string } {
	const apiKey = secretOf(credential.apiKey);
	const instanceToken = secretOf(credential.instanceToken);
	if (apiKey === '') {
		throw new UserError("'API Key' in the Messaging Gateway credential is empty", {
			description:
				'Enter the key of your account. If an expression is to give it, it returned nothing here.',
		});
	}
	const name = unsendable.test(apiKey) ? 'API Key' : 'Instance Token';
	if (unsendable.test(apiKey + instanceToken)) {
		throw new UserError(
			`'${name}' in the Messaging Gateway credential contains a line break, or a character such as •`,
			{
				description:
					'Copy it again, whole and alone. In lists of keys, • stands for what is hidden.',
			},
		);
	}
	return { apiKey, instanceToken };
}
