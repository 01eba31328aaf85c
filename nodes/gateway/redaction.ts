import type { ICredentialDataDecryptedObject as Credential, IDataObject } from 'n8n-workflow';

import { textOf, type Redact } from '../text/text';
import { messageIdNames, type AnswerBody } from './outcome';
import { anyToken, tokenParameter } from './triggerToken';

/** What a key was copied with: its header, quotation marks, invisible characters. */
const around =
	/^(?:[\s\p{Cf}"'`“”‘’]|(?:x-api-key|x-instance-token|authorization|bearer)["']?(?:\s*[:=]|\s|$))+|[\s\p{Cf}"'`“”‘’,;]+$/giu;

/** A key or token without what is around it. Empty where an expression gives nothing. */
export function secretOf(entered: unknown): string {
	const secret = textOf(entered).replace(around, '');
	return /^(undefined|null|\[object Object\])$/.test(secret) ? '' : secret;
}

/** What nobody may see of a credential. */
export const secretsOf = ({ apiKey, instanceToken }: Credential): string[] =>
	[apiKey, instanceToken].map(secretOf);

/** Removes secrets in any spelling, unless shorter than `shortest`. */
export function redactor(secrets: string[], shortest = 1): Redact {
	let spellings: string[] | undefined; // made when they are needed: most runs quote nothing
	return (text) => {
		spellings ??= secrets
			.filter((secret) => secret.length >= shortest)
			.sort((a, b) => b.length - a.length) // one may contain the other
			.flatMap(spellingsOf);
		for (const spelling of spellings) text = text.replaceAll(spelling, '•••');
		return text;
	};
}

/** Shorter Base64 would be found in harmless texts. */
const shortestBase64 = 8;

/** A secret as it is, in JSON, in JSON within JSON, in a URL and in Base64. */
export function spellingsOf(secret: string): string[] {
	const once = inJson(secret);
	const inUrl = encodeURIComponent(Buffer.from(secret).toString()); // without lone surrogates
	const all = [
		secret,
		...[...once, ...once.flatMap(inJson)],
		...[inUrl, inUrl.replace(/%../g, (byte) => byte.toLowerCase())],
		...[...base64Of(secret, 0), ...base64Of(secret, 1), ...base64Of(secret, 2)],
	];
	return [...new Set(all)];
}

function inJson(text: string): string[] {
	const json = JSON.stringify(text).slice(1, -1);
	return [json, json.replaceAll('/', '\\/')];
}

/** The characters of Base64 that depend only on the secret, at this offset in bytes. */
function base64Of(secret: string, offset: number): string[] {
	const end = offset + Buffer.byteLength(secret);
	const base64 = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64');
	const text = base64.slice(Math.ceil((offset * 4) / 3), Math.floor((end * 4) / 3));
	if (text.length < shortestBase64) return [];
	return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Cleans names and values of an answer in place. Message IDs stay: messages are found by them. */
export function cleanBody(body: AnswerBody, clean: Redact): void {
	if (isClean(body, clean)) return;
	const pending: unknown[] = [body]; // no recursion: it may be very deep
	while (pending.length > 0) {
		const parent = pending.pop() as IDataObject;
		for (const [name, value] of Object.entries(parent)) {
			if (typeof value === 'object' && value !== null) pending.push(value);
			const shownName = clean(name);
			if (shownName !== name) delete parent[name];
			parent[shownName] = messageIdNames.includes(name) ? value : shownValue(value, clean);
		}
	}
}

/** Whether nothing has to be hidden anywhere in it, as in nearly every answer. */
function isClean(body: AnswerBody, clean: Redact): boolean {
	try {
		const text = JSON.stringify(body);
		return clean(text) === text;
	} catch {
		return false; // too deep
	}
}

/** A number becomes text if it contains a key that consists of digits. */
function shownValue<T>(value: T, clean: Redact): T | string {
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const shown = clean(String(value));
	return shown === String(value) ? value : shown;
}

const mask = '***';

/** Masks a trigger's token in a webhook URL, even one of a newer version or one that was cut short. */
export function maskSecret(url: string): string {
	if (!URL.canParse(url)) return url;
	const masked = new URL(url);
	const values = masked.searchParams.getAll(tokenParameter);
	if (!values.some((value) => /^v\d+\./.test(value))) return url;
	masked.searchParams.set(tokenParameter, mask);
	return masked.href;
}

/** Of a link to a file, which n8n signs: a JSON Web Token whose first claim is `id`. */
const fileToken = /eyJ[\w-]+\.eyJpZCI6[\w-]+(?:\.[\w-]*)?/g;

/** Masks the tokens of triggers and of links to files anywhere in a text. */
export const maskTokens = (text: string): string =>
	text.replace(anyToken, mask).replace(fileToken, mask);

/** Whether `maskSecret` has changed a URL, which then leads nowhere. */
export const isMasked = (url: string): boolean =>
	URL.canParse(url) && new URL(url).searchParams.get(tokenParameter) === mask;

/** Reduces URLs in any encoding to their hosts, and masks anything as long as a secret. */
export const showHostsOnly = (text: string): string =>
	text
		.replace(/https?(?::|\\u003a|%(?:25)*3a)[^\s"<>]*/gi, (url) => originOf(url) ?? '…')
		.replace(/[\w+/%\\&#;-]{40,}/g, '***');

/** Undefined if the host is not certain. */
const originOf = (url: string): string | undefined =>
	/^https?:\/\/[\w.:[\]-]+(?![\w.:[\]@%\\-])/i.exec(url.replaceAll('\\/', '/'))?.[0];
