import type { IDataObject } from 'n8n-workflow';

import { firstObject, objectList } from '../../../shared/answer';
import { campaignIdField } from '../../fields/campaignId';
import type { Operation } from '../../operation';

/** Interface §4.7 (chat app) and §4.8 (SMS). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a campaign',
	description: 'Get a campaign with its delivery statistics and the status of each of its messages',
	idempotent: true,
	fields: [
		{
			displayName: 'Channel',
			name: 'channel',
			type: 'options',
			options: [
				{ name: 'Chat App', value: 'chatApp' },
				{ name: 'SMS', value: 'sms' },
			],
			default: 'chatApp',
			description: 'Channel that the campaign was sent through',
		},
		campaignIdField,
		{
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
			description: 'What to make items of',
		},
	],

	request(item) {
		const channel = item.choice('channel', 'Channel', ['chatApp', 'sms']);
		const output = item.choice('output', 'Output', ['campaign', 'messages']);
		return {
			method: 'GET',
			path:
				channel === 'sms' ? '/v1/sms/campaign/messages' : item.chatAppPath('/campaign/messages'),
			query: { [item.names.campaignIdParameter]: item.requiredText('campaignId', 'Campaign ID') },
			output(body) {
				const answer = firstObject(body);
				if (!Array.isArray(answer.campaigns)) return answer;
				const campaigns = objectList(answer.campaigns);
				return output === 'messages' ? campaigns.flatMap(toMessages) : campaigns;
			},
		};
	},
};

/** Interface §2.6: a message entry, with what its campaign is. */
function toMessages({ campaignId, nome, statistics, messages }: IDataObject): IDataObject[] {
	return objectList(messages).map((message) => ({
		campaignId,
		campaignName: nome,
		statistics,
		...message,
	}));
}
