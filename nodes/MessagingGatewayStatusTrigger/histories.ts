import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/**
 * Where a message stands on its way, as far as the interface shows statuses (§3): waiting, on its
 * way, at an end. The set of statuses is open, so any other name has no place.
 */
const places = new Map([
	...['queued', 'pending'].map((status) => [status, 0] as const),
	...['send', 'sent'].map((status) => [status, 1] as const),
	...['delivered', 'error', 'errors'].map((status) => [status, 2] as const),
]);

const placeOf = (status: string): number | undefined => places.get(status.toLowerCase());

/** Whether a status is known to say that nothing more becomes of a message. */
export const isAtEnd = (status: string): boolean => placeOf(status) === 2;

/**
 * Statuses that a message has had, oldest first, each on a line: no status has a line break. None is
 * dropped, or it would be told again.
 */
export type History = string;

/** In characters. Earlier versions cut longer ones to one more than this, without a digest. */
const longestStatus = 99;

/**
 * A status as it is remembered: in one line; a long one as its beginning, a tab and a digest; empty
 * where there is none.
 */
export function asStatus(value: unknown): string {
	const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
	const line = text.normalize('NFC').replace(/\s+/g, ' ').trim();
	if (line.length <= longestStatus) return line;
	return `${line.slice(0, longestStatus)}\t${shortId(line.toLowerCase())}`;
}

/** Written otherwise, it is the same. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** For a person. */
export const latestOf = (history: History): string =>
	history.slice(history.lastIndexOf('\n') + 1).replace(/\t.*/, '…');

/**
 * Takes a status into a history. Statuses only move forward: one that the message has had before, or
 * whose place lies before one that it has had, is no news.
 *
 * @returns undefined where it is no news
 */
export function advance(history: History | undefined, status: string): History | undefined {
	if (status === '') return undefined;
	if (history === undefined) return status;
	if (history === status || history.endsWith(`\n${status}`)) return undefined;
	const had = history.split('\n');
	const isBack = had.some((each) => (placeOf(each) ?? 0) > (placeOf(status) ?? 2));
	if (isBack || had.some((each) => isSame(each, status) || isCut(each, status))) return undefined;
	return `${history}\n${status}`;
}

/** Whether a status stands in a history as an earlier version has cut it. */
const isCut = (stored: string, status: string): boolean =>
	stored.length === longestStatus + 1 &&
	status.length > longestStatus &&
	isSame(stored.slice(0, longestStatus), status.slice(0, longestStatus));

/**
 * The histories of many messages, small enough for n8n's static data: a message takes 12 characters.
 * Messages with the same history stand together: `{ "queued\nsent": "<id><id>…" }`.
 */
export type Packed = Record<History, string>;

const idLength = 12;

/**
 * Stands for a message id of any length: 72 bits of SHA-256. That two of 100,000 messages share one
 * is as likely as one in 900 billion.
 */
export const shortId = (messageId: string): string =>
	createHash('sha256').update(messageId).digest('base64url').slice(0, idLength);

/** By short id. */
export function unpack(packed: IDataObject): Map<string, History> {
	const histories = new Map<string, History>();
	for (const [history, ids] of Object.entries(packed)) {
		for (let at = 0; typeof ids === 'string' && at < ids.length; at += idLength) {
			histories.set(ids.slice(at, at + idLength), history);
		}
	}
	return histories;
}

export function pack(histories: Map<string, History>): Packed {
	const groups = new Map<History, string[]>();
	for (const [id, history] of histories) {
		const group = groups.get(history);
		if (group) group.push(id);
		else groups.set(history, [id]);
	}
	return Object.fromEntries([...groups].map(([history, ids]) => [history, ids.join('')]));
}
