import type { IDataObject } from 'n8n-workflow';

import { channelField, campaignIdField } from '../../../form/fields/campaign';
import { choice } from '../../../form/textField';
import { operation, campaignHints } from '../../../send/operation';
import {
	campaignsIn,
	messagesIn,
	queryCampaigns,
	onlyWithId,
} from '../../../service/endpoints/campaigns';
import { refuseIf, firstObject, explained } from '../../../service/outcome';
import { objectList } from '../../../text/values';

/** Interface §4.7 (chat app) and §4.8 (SMS). */
export const campaignGet = operation({
	value: 'get',
	name: 'Get',
	action: 'Get campaign',
	description: 'Get a campaign with its statistics and the status of each of its messages',
	idempotent: true,
	hints: campaignHints,
	fields: {
		channel: channelField,
		campaignId: campaignIdField('searchCampaigns'),
		output: choice({
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Campaign',
					value: 'campaign',
					description: 'One item with the statistics and all messages',
				},
				{
					name: 'Messages',
					value: 'messages',
					description: 'One item per message, each with the statistics of its campaign',
				},
			],
			default: 'campaign',
			description: 'Whether to output one item for the campaign, or one for each of its messages',
		}),
	},

	request({ channel, output, campaignId: id }, item) {
		const needsMessages = refuseIf((body) =>
			output === 'campaign' || campaignsIn(body)?.every(messagesIn) !== false
				? undefined
				: explained('unusable', {
						message: 'This campaign came without its messages',
						hint: "Set 'Output' to Campaign to see its other data.",
					}),
		);
		return {
			...queryCampaigns(item.account, channel, id),
			judge: onlyWithId(id),
			judgeItem: needsMessages,
			output(body) {
				const campaigns = campaignsIn(body);
				if (!campaigns) return firstObject(body);
				return output === 'messages' ? campaigns.flatMap(toMessages) : campaigns;
			},
		};
	},
});

const toMessages = ({ campaignId, campaignName, statistics, messages }: IDataObject) =>
	objectList(messages).map((message) => ({ campaignId, campaignName, statistics, ...message }));
