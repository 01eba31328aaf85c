import { sleep, type IDataObject } from 'n8n-workflow';
import { hash } from 'crypto';

import {
	queryCampaigns,
	needsCampaigns,
	campaignsIn,
	campaignIdOf,
} from '../../service/endpoints/campaigns';
import { asLine } from '../../text/quote';
import { textOf } from '../../text/values';
import { list } from '../field';
import type { StatusEvent, StatusRecord, Settings, Change } from '../statusEvent';

export const campaignIdsField = list(
	{
		displayName: 'Campaign Names or IDs',
		name: 'campaignIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'loadCampaigns', loadOptionsDependsOn: ['channel'] },
		default: [],
		hint: 'Leave empty to watch every campaign',
		builderHint: {
			propertyHint:
				'Set the channel first. Leave it empty for messages of every campaign, also of those that begin later.',
		},
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	/[\s,;[\]"']+/, // also splits a list that was pasted as JSON
	'IDs',
);

/** The part that the events about campaigns share: interface §4.7 (chat app) and §4.8 (SMS). */
export const campaignEvent: Pick<StatusEvent, 'hints' | 'sources'> = {
	hints: {
		campaignNotFound: "Check 'Campaign Names or IDs' and 'Channel'.",
		notFound: "Check 'Campaign Names or IDs'.",
		tooManyRequests: "Poll less often ('Poll Times'), or watch fewer campaigns.",
	},

	sources({ client, quote, settings: { campaignIds, channel } }) {
		const hint = `Choose the campaigns in '${campaignIdsField.displayName}'.`;
		const request = (id?: string) => ({
			...queryCampaigns(client, channel, id),
			judge: needsCampaigns(id, hint, campaignIdsField.displayName),
		});
		if (campaignIds.length === 0)
			return [{ key: allCampaignsKey, name: 'All campaigns', request: request() }];
		return campaignIds.map((id) => ({
			key: id,
			name: `Campaign ${quote(id)}`,
			request: request(id),
		}));
	},
};

/** The key of the one request that reads all campaigns. No campaign has this ID. */
const allCampaignsKey = '*';

/**
 * Returns a function that reads the records of the requested campaigns. A single campaign without an ID
 * gets the requested ID; in a list of all, one without an ID is left out.
 *
 * @param read returns undefined for an incomplete campaign
 * @param missing the error's message about an incomplete campaign
 * @param needed the fields that a campaign has to contain, for the error's hint
 */
export const recordsOfEach =
	(
		read: (campaign: IDataObject) => StatusRecord[] | undefined,
		missing: string,
		needed: string,
	): StatusEvent['records'] =>
	(body, { key }, poll) => {
		const campaigns = (campaignsIn(body) ?? [])
			.map((each) => (campaignIdOf(each) === '' ? { ...each, campaignId: key } : each))
			.filter((each) => campaignIdOf(each) !== allCampaignsKey);
		const records = campaigns.map(read);
		const incomplete = campaigns[records.indexOf(undefined)];
		if (!incomplete) return records.flatMap((found) => found!);
		const hint = `Run 'Campaign: Get' with the ID '${asLine(campaignIdOf(incomplete))}' to see its answer.`;
		return poll.invalid(missing, `${hint} ${needed}`);
	};

/** The stages of a message (interface §3): waiting, on its way, final. Other statuses have none. */
const stages = new Map(
	Object.entries({ queued: 0, pending: 0, send: 1, sent: 1, delivered: 2, error: 2, errors: 2 }),
);

const stageOf = (status: string) => stages.get(status.toLowerCase());

/** All statuses of a message, one per line, oldest first. A lost one would be reported again. */
type History = string;

/** Returns a status as it is stored: on one line, and cut off at its longest; '' for none. */
export const asStatus = (value: unknown): string => textOf(value).slice(0, 99).replace(/\s+/g, ' ');

const latestOf = (history: History): string => history.slice(history.lastIndexOf('\n') + 1);

/**
 * Adds a status to a history; undefined if it is no change. Statuses only move forward: neither one that
 * the message has had before nor one of an earlier stage is a change.
 */
export function advance(history: History | undefined, status: string): History | undefined {
	if (status === '') return undefined;
	if (history === undefined) return status;
	// Most have not changed, so this comes first.
	const isKnown = `\n${history}\n`.toLowerCase().includes(`\n${status.toLowerCase()}\n`);
	if (isKnown) return undefined;
	const isBack = history.split('\n').some((each) => (stageOf(each) ?? 0) > (stageOf(status) ?? 2));
	return isBack ? undefined : `${history}\n${status}`;
}

/**
 * The histories of many messages, compact enough for n8n's static data: 12 characters per message,
 * grouped by history: `{ "queued\nsent": "<id><id>…" }`.
 */
export type Packed = Record<History, string>;

const idLength = 12;

/** 72 bits of SHA-256: two of 100,000 messages share one with a probability of one in 900 billion. */
export const shortId = (messageId: string): string =>
	hash('sha256', messageId, 'base64url').slice(0, idLength);

/** Returns the histories by short ID. */
export function unpack(packed: Packed): Map<string, History> {
	const histories = new Map<string, History>();
	for (const [history, ids] of Object.entries(packed)) {
		for (let at = 0; at < ids.length; at += idLength) {
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

/** The number of records compared before other work in n8n's only thread gets its turn. */
const batchSize = 1_000;

/** Returns a comparison of records whose states only move forward: each state is reported once. */
export function onlyForward(
	isReported: (state: string, settings: Settings) => boolean,
): StatusEvent<Packed>['compare'] {
	return async (before, records, { settings }) => {
		const histories = unpack(before ?? {});
		const listed = new Set<string>();
		const changes: Change[] = [];
		for (const [index, record] of records.entries()) {
			if (index % batchSize === 0) await sleep(0);
			const id = shortId(record.id);
			listed.add(id);
			const stored = histories.get(id);
			const history = stored?.replace(unlistedMark, '');
			const next = advance(history, record.state);
			if (history !== stored) histories.set(id, history!);
			if (next === undefined) continue;
			histories.set(id, next);
			const from = history === undefined ? null : latestOf(history);
			if (before && isReported(record.state, settings)) changes.push({ ...record, from });
		}
		// An empty list is more likely a fault of the service than the end of all messages.
		if (listed.size > 0) forgetUnlisted(histories, listed);
		return { kept: pack(histories), changes };
	};
}

const dayMs = 24 * 60 * 60 * 1000;

/** Messages that the service no longer lists are remembered for this many days. */
const rememberedDays = { final: 7, other: 30 };

/**
 * Matches the mark before the history of a message that the service no longer lists: the first day
 * without it, counted from 1970, between line breaks. No history begins with a line break.
 */
const unlistedMark = /^\n(\d+)\n/;

function forgetUnlisted(histories: Map<string, History>, listed: ReadonlySet<string>): void {
	const today = Math.floor(Date.now() / dayMs);
	for (const [id, stored] of histories) {
		if (listed.has(id)) continue;
		const [, since] = unlistedMark.exec(stored) ?? [];
		const days = rememberedDays[stageOf(latestOf(stored)) === 2 ? 'final' : 'other'];
		if (since === undefined) histories.set(id, `\n${today}\n${stored}`);
		else if (today - Number(since) > days) histories.delete(id);
	}
}
