import type { IDataObject } from 'n8n-workflow';

import { firstObject } from '../../../gateway/answerBody';
import { campaignsIn, queryCampaigns } from '../../../gateway/endpoints/campaigns';
import { mayNeedId } from '../../../gateway/judge/campaignList';
import { flag } from '../../../form/field';
import { channelField } from '../../../form/fields/channel';
import { limitFields } from '../../../form/fields/limit';
import { operation } from '../../operation';

/** Interface §4.7 (chat app) and §4.8 (SMS), asked without the identifier of a campaign. */
export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many campaigns',
	description:
		'List the campaigns of a channel, each with its ID, name and delivery statistics, and with its messages where wanted. Finds the ID of a campaign by its name. Changes nothing.',
	idempotent: true,
	fields: {
		channel: {
			...channelField,
			description: 'Channel that the campaigns were sent through: chatApp or sms in an expression',
		},
		...limitFields,
		includeMessages: flag({
			displayName: 'Include Messages',
			name: 'includeMessages',
			type: 'boolean',
			default: false,
			description:
				'Whether to return the messages of each campaign, too, with their numbers and statuses. A long answer where there are many.',
		}),
	},

	request({ channel, limit, includeMessages }, item) {
		return {
			...queryCampaigns(item, channel),
			judge: mayNeedId("'Campaign: Get' gets one campaign by its ID."),
			output(body) {
				const campaigns = campaignsIn(body)?.slice(0, limit);
				if (!campaigns) return firstObject(body);
				return includeMessages ? campaigns : campaigns.map(withoutMessages);
			},
		};
	},
});

const withoutMessages = (campaign: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(campaign).filter(([name]) => name !== 'messages'));
