import type { IDataObject } from 'n8n-workflow';

import { channelField } from '../../../form/fields/campaign';
import { toFindField, destinationOf } from '../../../form/fields/to';
import { option } from '../../../form/option';
import { choice, required, trimmed } from '../../../form/textField';
import { operation, campaignHints } from '../../../send/operation';
import {
	findMessages,
	queryCampaigns,
	needsCampaigns,
	campaignIdOf,
	campaignsIn,
	messagesIn,
	countOf,
	type ListedMessage,
} from '../../../service/endpoints/campaigns';
import { messageIdOf } from '../../../service/endpoints/messages';
import { refuseIf, explained, type AnswerBody, type Reason } from '../../../service/outcome';

/** Interface §1: the status of a message is read through the campaigns, §4.7 (chat app) and §4.8 (SMS). */
export const getStatus = operation({
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get message status',
	description: 'Check whether a message was sent and delivered, by its ID or phone number',
	idempotent: true,
	isShared: true,
	hints: campaignHints,
	destination: destinationOf,
	fields: {
		channel: { ...channelField, description: 'How the message was sent' },
		findBy: choice({
			displayName: 'Find By',
			name: 'findBy',
			type: 'options',
			options: [
				{ name: 'Message ID', value: 'messageId', description: 'The one message with this ID' },
				{ name: 'Phone Number', value: 'to', description: 'Every message to this number' },
			],
			default: 'messageId',
			description: 'How to find the message',
		}),
		messageId: required({
			displayName: 'Message ID',
			name: 'messageId',
			type: 'string',
			required: true,
			default: '',
			displayOptions: { show: { findBy: ['messageId'] } },
			placeholder: 'e.g. {{ $json.messageId }}',
			description: "The 'messageId' that the send returned",
		}),
		to: { ...toFindField, displayOptions: { show: { findBy: ['to'] } } },
	},
	options: {
		campaignId: option(
			trimmed({
				displayName: 'Campaign ID',
				name: 'campaignId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 3f2a9c1e-58d4-4c6b-9a51-7d2e8f0b6c34',
				description:
					'Search this campaign only. Leave empty to search all campaigns that the service lists.',
			}),
		),
		notFound: option(
			choice({
				displayName: 'If Not Found',
				name: 'notFound',
				type: 'options',
				options: [
					{ name: 'Fail', value: 'error', description: 'The item fails' },
					{ name: 'Return an Item', value: 'output', description: 'Returns found: false' },
				],
				default: 'output',
				description: 'What to do if the service does not list the message',
			}),
		),
	},

	request(values, item) {
		const { channel, findBy, notFound } = values;
		const wanted = findBy === 'to' ? values.to : values.messageId;
		const id = values.campaignId || undefined;
		const find = (body: AnswerBody = {}) => findMessages(body, findBy, wanted);
		return {
			...queryCampaigns(item.account, channel, id),
			judge: needsCampaigns(id, nameCampaign),
			judgeItem: refuseIf((body) => {
				if (find(body).length > 0) return undefined;
				const explanation = { message: 'The message was not found', hint: checkSearch };
				const missing = notFound === 'error' ? explained('rejected', explanation) : undefined;
				return mayBeUnlisted(body, id) ?? missing;
			}),
			output(body) {
				const found = find(body).map((listed) => toStatus(listed, id));
				return found.length > 0 ? found : { found: false, hint: checkSearch };
			},
		};
	},
});

/** Makes an output item. @param id of the campaign that was asked for, which the answer may leave out */
const toStatus = ({ message, campaign }: ListedMessage, id = ''): IDataObject => ({
	messageId: messageIdOf(message) ?? null,
	to: message.to ?? null,
	status: message.status ?? null,
	campaignId: campaignIdOf(campaign) || id || null,
	campaignName: campaign.campaignName ?? null,
});

const checkSearch =
	"Check 'Channel', the message ID or number, and 'Campaign ID' if it is set. A message that was just sent may not be listed yet.";

const nameCampaign = "Set 'Campaign ID' in the options to search one campaign only.";

/** Returns why a missing message does not count as not found; undefined if all messages were listed. */
function mayBeUnlisted(body: AnswerBody | undefined, id?: string): Reason | undefined {
	const isCutShort = campaignsIn(body)?.some((campaign) => {
		const listed = messagesIn(campaign);
		return !listed || (countOf(campaign, 'total') ?? 0) > listed.length;
	});
	if (!isCutShort) return undefined;
	return explained('unusable', {
		message: 'The message was not found, but the service did not list all messages',
		hint: id === undefined ? nameCampaign : 'Check the message at your messaging service.',
	});
}
