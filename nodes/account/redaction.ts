import type { ICredentialDataDecryptedObject as Credential } from 'n8n-workflow';

import type { Redact } from '../text/quote';
import { textOf } from '../text/values';
import { anyToken } from './triggerToken';

/** Stands for what must not be shown. It is the same in a text, in JSON and in a URL. */
export const mask = '***';

/** Matches a copied header's name and quotation marks in front of a key. */
const keyPrefix =
	/^(?:[\s\p{Cf}"'`“”‘’]|(?:x-api-key|x-instance-token|authorization|bearer)["']?(?:\s*[:=]|\s|$))+/iu;

/** Matches quotation marks and the like behind a key. */
const keySuffix = /[\s\p{Cf}"'`“”‘’,;]+$/u;

/** The longest value of a field of the credential, in characters. */
export const longestCredentialValue = 5_000;

/** Returns a key or token without what was copied with it: empty where an expression gives nothing. */
export function secretOf(entered: unknown): string {
	const text = textOf(entered).slice(0, longestCredentialValue);
	const secret = text.replace(keyPrefix, '').replace(keySuffix, '');
	return /^(undefined|null|\[object Object\])$/.test(secret) ? '' : secret;
}

export const secretsOf = ({ apiKey, instanceToken }: Credential): string[] =>
	[apiKey, instanceToken].map(secretOf);

/** Masks secrets in every spelling, unless they are shorter than `shortest`. */
export function redactor(secrets: string[], shortest = 1): Redact {
	let spellings: string[] | undefined; // made when they are needed: most runs quote nothing
	return (text) => {
		spellings ??= secrets
			.filter((secret) => secret.length >= shortest)
			.sort((a, b) => b.length - a.length) // one may contain the other
			.flatMap(spellingsOf);
		for (const spelling of spellings) text = text.replaceAll(spelling, mask);
		return text;
	};
}

function spellingsOf(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrl = encodeURIComponent(Buffer.from(secret).toString()); // without lone surrogates
	const inLowerCase = inUrl.replace(/%../g, (byte) => byte.toLowerCase());
	return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/'), inUrl, inLowerCase])];
}

/** Matches what is secret in n8n's signed link to a file: a JSON Web Token whose first claim is `id`. */
const fileToken = /\.eyJpZCI6[\w-]+(?:\.[\w-]*)?/g;

/** Masks the tokens of triggers and of links to files anywhere in a text. */
export const maskTokens = (text: string): string =>
	text.replace(anyToken, mask).replace(fileToken, mask);

/** Masks each word that may be an address, in any encoding, or as long as a secret. */
export const maskAddresses = (text: string): string =>
	text.replace(/\S+/g, (word) => (word.length < 40 && !/[/\\%&]/.test(word) ? word : mask));
