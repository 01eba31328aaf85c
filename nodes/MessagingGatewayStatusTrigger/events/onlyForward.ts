import { sleep } from 'n8n-workflow';

import { dayMs } from '../memory';
import {
	advance,
	idLength,
	latestOf,
	listedAgain,
	pack,
	shortId,
	unpack,
	whileUnlisted,
	type History,
	type Packed,
} from '../histories';
import type { Change, Poll, StatusEvent } from '../statusEvent';

/** Records compared before other work in n8n's only thread gets its turn. */
const batchSize = 1_000;

/** Compares records whose states only move forward: each state of a record is reported once. */
export const onlyForward =
	(isReportedBy: (poll: Poll) => (state: string) => boolean): StatusEvent<Packed>['compare'] =>
	async (before, records, poll, room) => {
		const histories = unpack(before ?? {});
		const listed = new Set<string>();
		const isReported = isReportedBy(poll);
		const changes: Change[] = [];
		let isCutShort = false;
		for (const [index, { id: whole, state, fields }] of records.entries()) {
			if (index % batchSize === batchSize - 1) await sleep(0);
			const id = shortId(whole);
			listed.add(id);
			const stored = histories.get(id);
			const history = listedAgain(stored);
			const next = advance(history, state);
			if (history !== stored) histories.set(id, history!);
			if (next === undefined) continue;
			if (before && history === undefined && !room.take(idLength)) {
				isCutShort = true;
				continue;
			}
			histories.set(id, next);
			const from = history === undefined ? null : latestOf(history);
			if (before && isReported(state)) changes.push({ from, to: state, fields });
		}
		// An empty list is rather a fault of the service.
		if (listed.size > 0) forgetUnlisted(histories, listed);
		return { kept: pack(histories), changes, isCutShort };
	};

function forgetUnlisted(histories: Map<string, History>, listed: ReadonlySet<string>): void {
	const today = Math.floor(Date.now() / dayMs);
	for (const [id, stored] of histories) {
		if (listed.has(id)) continue;
		const kept = whileUnlisted(stored, today);
		if (kept === undefined) histories.delete(id);
		else histories.set(id, kept);
	}
}
