import type { IDataObject } from 'n8n-workflow';

import { messagesIn, countOf } from '../../service/endpoints/campaigns';
import { messageIdOf } from '../../service/endpoints/messages';
import { objectList } from '../../text/values';
import { list } from '../field';
import type { StatusEvent, StatusRecord, Settings } from '../statusEvent';
import { campaignEvent, recordsOfEach, onlyForward, asStatus, type Packed } from './campaigns';

export const statusesOption = list(
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. delivered, error',
		hint: "Use your service's own words. Any other word starts nothing.",
		description:
			'Only these statuses start the workflow. Separate them with commas; leave empty for all.',
	},
	/[,;\n]+/,
	'texts',
	'options',
);

/** Interface §2.6: messages are identified by `messageId`. A new `status` or a new message counts. */
export const messageStatusChanged: StatusEvent<Packed> = {
	value: 'messageStatusChanged',
	name: 'Message Status Changed',
	description: 'When a message of a campaign gets a new status, or a campaign gets a new message',
	...campaignEvent,

	records: recordsOfEach(
		messagesOf,
		'The service returned a campaign without its messages',
		"Every message in it needs a 'messageId' and a 'status'.",
	),

	compare: onlyForward(isWanted),

	output({ from, fields }, { channel, simplify }) {
		const { campaignId, campaignName, statistics } = fields.campaign as IDataObject;
		const message = fields.message as IDataObject;
		const { status, to } = message;
		const messageId = messageIdOf(message);
		return simplify
			? { messageId, status, previousStatus: from, to, campaignId, campaignName, channel }
			: { campaignId, campaignName, channel, statistics, ...message, previousStatus: from };
	},
};

/** Returns undefined if the list of messages is missing, or none of them can be identified. */
function messagesOf(campaign: IDataObject): StatusRecord[] | undefined {
	const messages = messagesIn(campaign) ?? (hasBegun(campaign) ? undefined : []);
	const records = objectList(messages).flatMap((message) => {
		const id = messageIdOf(message);
		const state = asStatus(message.status);
		return id === undefined || state === '' ? [] : [{ id, state, fields: { campaign, message } }];
	});
	return records.length > 0 || messages?.length === 0 ? records : undefined;
}

/** Whether its counters leave that possible: at some services a waiting campaign has no list yet. */
const hasBegun = (campaign: IDataObject): boolean =>
	['sent', 'delivered', 'errors'].some((name) => countOf(campaign, name) !== 0);

export function isWanted(status: string, { statuses }: Settings): boolean {
	return statuses.length === 0 || statuses.includes(status.toLowerCase());
}
