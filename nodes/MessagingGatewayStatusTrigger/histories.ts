import { hash } from 'crypto';
import { sleep, type IDataObject } from 'n8n-workflow';

import type { Change, Poll, StatusEvent } from './statusEvent';

/** The stages of a message (interface §3): waiting, on its way, final. Other statuses have none. */
const stages = new Map([
	...['queued', 'pending'].map((status) => [status, 0] as const),
	...['send', 'sent'].map((status) => [status, 1] as const),
	...['delivered', 'error', 'errors'].map((status) => [status, 2] as const),
]);

const stageOf = (status: string): number | undefined => stages.get(status.toLowerCase());

export const isFinal = (status: string): boolean => stageOf(status) === 2;

/** All statuses of a message, one per line, oldest first. A lost one would be reported again. */
type History = string;

/** In characters. */
const maxStatusLength = 99;

/** A status as stored: on one line; a long one as its beginning, a tab and a digest; '' for none. */
export function asStatus(value: unknown): string {
	const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
	const line = text.normalize('NFC').replace(/\s+/g, ' ').trim();
	if (line.length <= maxStatusLength) return line;
	return `${line.slice(0, maxStatusLength)}\t${shortId(line.toLowerCase())}`;
}

/** For people. */
export const latestOf = (history: History): string =>
	history.slice(history.lastIndexOf('\n') + 1).replace(/\t.*/, '…');

/**
 * Adds a status to a history. Statuses only move forward: neither one that the message has had before
 * nor one of an earlier stage is a change.
 *
 * @returns undefined if it is no change
 */
export function advance(history: History | undefined, status: string): History | undefined {
	if (status === '') return undefined;
	if (history === undefined) return status;
	if (history === status || history.endsWith(`\n${status}`)) return undefined;
	const had = history.split('\n');
	const isBack = had.some((each) => (stageOf(each) ?? 0) > (stageOf(status) ?? 2));
	const isKnown = had.some((each) => each.toLowerCase() === status.toLowerCase());
	if (isBack || isKnown) return undefined;
	return `${history}\n${status}`;
}

const dayMs = 24 * 60 * 60 * 1000;

/** How long messages are remembered that the service no longer lists, in days. */
const rememberedDays = { final: 7, other: 30 };

/**
 * A history that the service no longer lists has the day before it, counted from 1970, between line
 * breaks. No history begins with one.
 */
const unlisted = /^\n(\d+)\n/;

/**
 * The histories of many messages, compact enough for n8n's static data: 12 characters per message,
 * grouped by history: `{ "queued\nsent": "<id><id>…" }`.
 */
export type Packed = Record<History, string>;

const idLength = 12;

/** 72 bits of SHA-256: two of 100,000 messages share one with a probability of one in 900 billion. */
export const shortId = (messageId: string): string =>
	hash('sha256', messageId, 'base64url').slice(0, idLength);

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
	const groups = new Map<History, string>();
	for (const [id, history] of histories) groups.set(history, (groups.get(history) ?? '') + id);
	return Object.fromEntries(groups);
}

/** Records compared before other work in n8n's only thread gets its turn. */
const batchSize = 1_000;

/** Compares records whose states only move forward: each state of a record is reported once. */
export const onlyForward =
	(isReported: (state: string, poll: Poll) => boolean): StatusEvent<Packed>['compare'] =>
	async (before, records, poll, room) => {
		const histories = unpack(before ?? {});
		const listed = new Set<string>();
		const changes: Change[] = [];
		let isCutShort = false;
		for (const [index, record] of records.entries()) {
			if (index % batchSize === batchSize - 1) await sleep(0);
			const id = shortId(record.id);
			listed.add(id);
			const stored = histories.get(id);
			const history = stored?.replace(unlisted, '');
			const next = advance(history, record.state);
			if (history !== stored) histories.set(id, history!);
			if (next === undefined) continue;
			if (before && history === undefined && !room(idLength)) {
				isCutShort = true;
				continue;
			}
			histories.set(id, next);
			const from = history === undefined ? null : latestOf(history);
			if (before && isReported(record.state, poll)) changes.push({ ...record, from });
		}
		// An empty list is rather a fault of the service.
		if (listed.size > 0) forgetUnlisted(histories, listed);
		return { kept: pack(histories), changes, isCutShort };
	};

function forgetUnlisted(histories: Map<string, History>, listed: ReadonlySet<string>): void {
	const today = Math.floor(Date.now() / dayMs);
	for (const [id, stored] of histories) {
		if (listed.has(id)) continue;
		const [, since] = unlisted.exec(stored) ?? [];
		const days = isFinal(latestOf(stored)) ? rememberedDays.final : rememberedDays.other;
		if (since === undefined) histories.set(id, `\n${today}\n${stored}`);
		else if (today - Number(since) > days) histories.delete(id);
	}
}
