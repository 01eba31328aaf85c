import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { History } from './progress';

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
