import {
	UserError,
	type ICredentialDataDecryptedObject as Credential,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import type { Owner } from '../n8n/errors';
import { quoteValue } from '../text/quote';
import { credentialFields, chatAppNameIs } from './credential';
import { redactor, secretsOf } from './redaction';

/** The values of a credential's fields. Each is read once, when it is first asked for. */
export type Account = {
	readonly [K in keyof typeof credentialFields]: ReturnType<(typeof credentialFields)[K]['parse']>;
};

/** Has a getter for each field. They are shared: of its own, they would take an account five times as long. */
class LazyAccount {
	readonly owner: Owner<UserError> = {
		invalid: (message, hint) => new UserError(message, { description: hint }),
		// A secret may have been entered in the wrong field.
		quote: (value) => quoteValue(value, redactor(secretsOf(this.credential))),
	};
	constructor(readonly credential: Credential) {}
}
for (const [name, field] of Object.entries(credentialFields)) {
	Object.defineProperty(LazyAccount.prototype, name, {
		get(this: LazyAccount) {
			// A field that was never stored has its default.
			const entered = name in this.credential ? this.credential[name] : field.default;
			const value: unknown = field.parse(entered, this.owner);
			Object.defineProperty(this, name, { value });
			return value;
		},
	});
}

/** Returns an account whose values throw UserError where they cannot be used. */
export const accountOf = (credential: Credential): Account =>
	new LazyAccount(credential) as unknown as Account;

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
	const account = accountOf(credential);
	const { baseUrl: base } = account;
	const address = options.url ?? options.uri ?? '';
	// Axios before 1.18 opens `https:evil.example` as an address, though with a base it is a path.
	const target = URL.canParse(address)
		? new URL(address)
		: new URL(address, options.baseURL ?? base);

	if (target.origin !== base.origin) {
		throw new UserError(
			`The Messaging Gateway credential is for ${base.origin} only, so it was not sent to ${target.origin}`,
		);
	}

	const { apiKey, instanceToken, sendKeyAs } = account;
	const headers = {
		...options.headers,
		...(sendKeyAs === 'bearer' ? { Authorization: `Bearer ${apiKey}` } : { 'X-API-Key': apiKey }),
		...(instanceToken && isChatApp(target, base) && { 'X-Instance-Token': instanceToken }),
	};
	const noRedirect = { disableFollowRedirect: true, followRedirect: false };
	const anyServer = { skipSslCertificateValidation: true, rejectUnauthorized: false };
	const more = account.allowUnauthorizedCerts && anyServer;
	return Object.assign(options, { headers, followAllRedirects: false }, noRedirect, more);
}

const isChatApp = (target: URL, base: Readonly<URL>): boolean =>
	target.pathname.startsWith(`${base.pathname.replace(/\/$/, '')}/v2/`);

export const addressBelow = (base: Readonly<URL>, path: string): string =>
	base.href.replace(/\/$/, '') + path;

/** Whether a path is the chat app's, and so of the instance, whichever account asks (interface §4). */
export const isOfInstance = (path: string): boolean => path.startsWith('/v2/');

/** Returns the path of a chat-app operation (interface §4). @throws UserError without token or name */
export function chatAppPath({ instanceToken, chatAppName }: Account, path: string): string {
	if (instanceToken !== '' && chatAppName !== '') {
		return `/v2/${encodeURIComponent(chatAppName)}${path}`;
	}
	const missing = instanceToken === '' ? 'Instance Token' : 'Chat App Name';
	throw new UserError(`'${missing}' is missing in the Messaging Gateway credential`, {
		description: `Turn on 'Chat App' there, and enter 'Instance Token' and 'Chat App Name': ${chatAppNameIs}. Without a chat app, only SMS works: 'Message: Send SMS' sends a text, or a link to a file.`,
	});
}

/**
 * Keeps a credential from being used in another n8n. A copy of n8n's database, such as for staging, has
 * the same credentials and the same published workflows: it would send to real people and take the
 * webhook. Its address is what differs. @throws UserError
 */
export function checkIsHere(
	context: { getInstanceBaseUrl(): string },
	{ n8nAddress: wanted }: Account,
): void {
	if (!wanted) return;
	const own = context.getInstanceBaseUrl();
	if (comparableAddress(own) === comparableAddress(wanted)) return;
	throw new UserError(
		`The Messaging Gateway credential may only be used in the n8n at ${wanted}, and this one is at ${own}`,
		{
			description:
				"If this is the right n8n, correct 'Only Use in This n8n' in the credential. If it is a copy, unpublish its workflows, or give it an account of its own. Nothing was sent or changed.",
		},
	);
}

/** Returns an address without its scheme, which a proxy may change, and without a slash at the end. */
const comparableAddress = (address: string): string =>
	address
		.replace(/^[a-z]+:\/\//i, '')
		.replace(/\/$/, '')
		.toLowerCase();
