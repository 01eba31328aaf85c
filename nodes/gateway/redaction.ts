import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { Redact } from '../text/quote';
import type { AnswerBody } from './answerBody';
import { messageIdNames } from './endpoints/messages';
import { anyToken, tokenParameter } from './triggerToken';

/**
 * Takes the credential's key and token out of a text, however they are written there.
 *
 * @param shortest characters of a secret that is looked for
 */
export function redactor(
	{ apiKey, instanceToken }: ICredentialDataDecryptedObject,
	shortest = 1,
): Redact {
	const secrets = [apiKey, instanceToken]
		.map((secret) => String(secret ?? '').trim())
		.filter((secret) => secret.length >= shortest)
		.flatMap(spellingsOf)
		.sort((a, b) => b.length - a.length); // one may stand in the other
	return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '•••'), text);
}

/** Shorter Base64 would be found in texts that hold no secret. */
const shortestBase64 = 8;

/** The ways in which a secret may be written: as it is, in JSON, in a URL, in Base64. */
export function spellingsOf(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrl = encodeURIComponent(Buffer.from(secret).toString()); // no half of a pair, which throws
	const all = [
		secret,
		...[inJson, inJson.replaceAll('/', '\\/')],
		...[inUrl, inUrl.replace(/%../g, (byte) => byte.toLowerCase())],
		...[0, 1, 2].flatMap((before) => base64Of(secret, before)),
	];
	return [...new Set(all)];
}

/** Base64 of a secret behind so many other bytes: the signs that these and what follows leave alone. */
function base64Of(secret: string, before: number): string[] {
	const end = before + Buffer.byteLength(secret);
	const base64 = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64');
	const text = base64.slice(Math.ceil((before * 4) / 3), Math.floor((end * 4) / 3));
	if (text.length < shortestBase64) return [];
	return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}

/**
 * The body of an answer as it may be shown: what must not be seen is taken out of its names and
 * values, in place. A message ID stays as it is, since it is looked up by.
 */
export function asShown<T extends AnswerBody>(body: T, clean: Redact): T {
	const pending: unknown[] = [body]; // no recursion, however deep it is
	while (pending.length > 0) {
		const holder = pending.pop() as IDataObject;
		for (const [name, value] of Object.entries(holder)) {
			if (typeof value === 'object' && value !== null) pending.push(value);
			const shownName = clean(name);
			if (shownName !== name) delete holder[name];
			holder[shownName] = messageIdNames.includes(name) ? value : shownValue(value, clean);
		}
	}
	return body;
}

/** A number that holds a key of digits alone becomes a text. */
function shownValue<T>(value: T, clean: Redact): T | string {
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const shown = clean(String(value));
	return shown === String(value) ? value : shown;
}

const mask = '***';

/** A webhook URL as it may be shown: a trigger's token replaced, also one that was cut short. */
export function maskSecret(url: string): string {
	if (!URL.canParse(url)) return url;
	const masked = new URL(url);
	const values = masked.searchParams.getAll(tokenParameter);
	if (!values.some((value) => value.startsWith('v1.'))) return url;
	masked.searchParams.set(tokenParameter, mask);
	return masked.href;
}

/** A text of the service as it may be shown: the tokens of triggers replaced, wherever they stand. */
export const maskTokens = (text: string): string => text.replace(anyToken, mask);

/** Whether a URL is one that `maskSecret` has changed, and so leads nowhere. */
export const isMasked = (url: string): boolean =>
	URL.canParse(url) && new URL(url).searchParams.get(tokenParameter) === mask;

/**
 * A text of the service's, which may repeat URLs that were set, in any encoding: their hosts alone,
 * and secrets, known by their length, not at all.
 */
export const showHostsOnly = (text: string): string =>
	text
		.replace(/https?(?::|\\u003a|%(?:25)*3a)[^\s"<>]*/gi, (url) => originOf(url) ?? '…')
		.replace(/[\w+/%\\&#;-]{40,}/g, '***');

/** Of a URL as a person writes it, or JSON with `\/`; undefined where the host cannot be told. */
const originOf = (url: string): string | undefined =>
	/^https?:\/\/[\w.:[\]-]+(?![\w.:[\]@%\\-])/i.exec(url.replaceAll('\\/', '/'))?.[0];
