import { sleep, type IDataObject } from 'n8n-workflow';

import { list, refine } from '../../form/field';
import { objectList } from '../../gateway/answerBody';
import { countOf, messagesIn } from '../../gateway/endpoints/campaigns';
import { messageIdOf } from '../../gateway/endpoints/messages';
import {
	advance,
	asStatus,
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
import { dayMs } from '../failures';
import type { Change, Poll, StatusEvent, StatusRecord } from '../statusEvent';
import { campaignEvent, campaignMissing, campaignsFrom, messagesMissing } from './watchedCampaigns';

/** Messages compared before other work in n8n's only thread gets its turn. */
const batchSize = 1_000;

export const statusesOption = refine(
	list(
		{
			displayName: 'Statuses',
			name: 'statuses',
			type: 'string',
			default: '',
			placeholder: 'e.g. delivered, error',
			description:
				'Only these statuses start the workflow. Separate them with commas; leave empty for all.',
		},
		/[,;\n]+/,
		'texts',
	),
	(statuses) => statuses.map((status) => asStatus(status).toLowerCase()),
);

/** Interface §2.6: messages are identified by `messageId`. A new `status` or a new message counts. */
export const messageStatusChanged: StatusEvent<Packed> = {
	value: 'messageStatusChanged',
	name: 'Message Status Changed',
	description: 'When a message of a campaign gets a new status, or a campaign gets a new message',
	...campaignEvent,
	options: [statusesOption],

	records(body, source) {
		const campaigns = campaignsFrom(body, source);
		if (!campaigns) return campaignMissing;
		const read = campaigns.map(messagesOf);
		return read.every((records) => records !== undefined) ? read.flat() : messagesMissing;
	},

	async compare(before, records, poll, room) {
		const histories = unpack(before ?? {});
		const listed = new Set<string>();
		const isWanted = statusFilter(poll);
		const changes: Change[] = [];
		let isCutShort = false;
		for (const [index, { id: messageId, state, fields }] of records.entries()) {
			if (index % batchSize === batchSize - 1) await sleep(0);
			const id = shortId(messageId);
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
			if (before && isWanted(state)) changes.push({ from, to: state, fields });
		}
		// An empty list is rather a fault of the service.
		if (listed.size > 0) forgetUnlisted(histories, listed);
		return { kept: pack(histories), changes, isCutShort };
	},

	sample(records, poll) {
		const isWanted = statusFilter(poll);
		const record = records.find(({ state }) => isWanted(state));
		return record && { from: null, to: record.state, fields: record.fields };
	},

	output({ from, fields }, { channel, simplify }) {
		const { campaignId, nome: campaignName, statistics } = fields.campaign as IDataObject;
		const message = fields.message as IDataObject;
		const { status, to } = message;
		const messageId = messageIdOf(message);
		return simplify
			? { messageId, status, previousStatus: from, to, campaignId, campaignName, channel }
			: { campaignId, campaignName, channel, statistics, ...message, previousStatus: from };
	},
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

/** Undefined if the list of messages is missing, or none of them can be identified. */
function messagesOf(campaign: IDataObject): StatusRecord[] | undefined {
	const messages = messagesIn(campaign) ?? (hasBegun(campaign) ? undefined : []);
	const records = objectList(messages).flatMap((message) => {
		const id = messageIdOf(message);
		const state = asStatus(message.status);
		return id === undefined || state === '' ? [] : [{ id, state, fields: { campaign, message } }];
	});
	return records.length > 0 || messages?.length === 0 ? records : undefined;
}

/** Not if its counters say so: a campaign that waits has no list yet at some services. */
const hasBegun = (campaign: IDataObject): boolean =>
	['sent', 'delivered', 'errors'].some((name) => countOf(campaign, name) !== 0);

const statusFilter =
	({ settings: { statuses } }: Poll) =>
	(status: string): boolean =>
		statuses.length === 0 || statuses.includes(status.toLowerCase());
