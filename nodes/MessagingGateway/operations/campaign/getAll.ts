import type { IDataObject } from 'n8n-workflow';

import { flag } from '../../../form/field';
import { channelField } from '../../../form/fields/campaign';
import { listLimitFields } from '../../../form/fields/listLimit';
import { operation, hintsToCheck } from '../../../send/operation';
import { queryCampaigns, mayNeedId, campaignsIn } from '../../../service/endpoints/campaigns';
import { firstObject } from '../../../service/outcome';

/** Interface §4.7 (chat app) and §4.8 (SMS), without the identifier of a campaign. */
export const campaignGetAll = operation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many campaigns',
	description: 'List the campaigns of a channel with their IDs, names and statistics',
	idempotent: true,
	hints: hintsToCheck('Channel'),
	fields: {
		channel: { ...channelField, description: 'How the campaigns were sent' },
		...listLimitFields,
		includeMessages: flag({
			displayName: 'Include Messages',
			name: 'includeMessages',
			type: 'boolean',
			default: false,
			description:
				'Whether to return the messages of each campaign, with their numbers and statuses',
		}),
	},

	request({ channel, limit, includeMessages }, item) {
		return {
			...queryCampaigns(item.account, channel),
			judge: mayNeedId("Use 'Campaign: Get' to get one campaign by its ID."),
			output(body) {
				const campaigns = campaignsIn(body)?.slice(0, limit);
				if (!campaigns) return firstObject(body);
				return includeMessages ? campaigns : campaigns.map(omitMessages);
			},
		};
	},
});

const omitMessages = (campaign: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(campaign).filter(([name]) => name !== 'messages'));
