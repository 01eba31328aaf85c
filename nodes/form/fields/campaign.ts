import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import type { Client } from '../../service/client';
import {
	queryCampaigns,
	needsCampaigns,
	campaignsIn,
	campaignIdOf,
	countOf,
	type Channel,
} from '../../service/endpoints/campaigns';
import type { AnswerBody } from '../../service/outcome';
import { searchList, joinLine, abbreviateId } from '../search';
import { choice, locator } from '../textField';

export const channelField = choice<Channel>({
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [
		{ name: 'SMS', value: 'sms' },
		{ name: 'Chat App', value: 'chatApp' },
	],
	default: 'sms',
	description: 'How the messages were sent',
});

/** @param searchListMethod lists the campaigns to choose from */
export const campaignIdField = (searchListMethod: string) =>
	locator(
		{
			displayName: 'Campaign ID',
			name: 'campaignId',
			required: true,
			description: "Choose a campaign, or enter the 'campaignId' that 'Campaign: Get Many' returns",
			builderHint: {
				propertyHint:
					'Set the channel first. If the service does not list campaigns, use the mode "id" with a campaignId; a name is not an ID.',
			},
		},
		{ searchListMethod, placeholder: 'Select a campaign…' },
		{
			placeholder: 'e.g. 3f2a9c1e-58d4-4c6b-9a51-7d2e8f0b6c34',
			hint: "The 'campaignId' that 'Campaign: Get Many' returns, not the name",
		},
	);

/** Makes the function that lists a channel's campaigns (interface §4.7, §4.8). @throws as `chatAppPath`, too */
const searchOf = (channelIn: (context: ILoadOptionsFunctions) => Channel) =>
	async function (this: ILoadOptionsFunctions, filter = '') {
		const judge = needsCampaigns(undefined, 'Enter the ID, or an expression that returns it.');
		const channel = channelIn(this);
		const request = (client: Client) => ({ ...queryCampaigns(client, channel), judge });
		return await searchList(this, filter, request, campaignEntries);
	};

/** Lists those of the form's channel; those of SMS where it is an expression. */
export const searchCampaigns = searchOf((context) =>
	context.getCurrentNodeParameter('channel') === 'chatApp' ? 'chatApp' : 'sms',
);

export const searchChatAppCampaigns = searchOf(() => 'chatApp');

/** Lists the campaigns of the form's channel for a dropdown with several choices. */
export async function loadCampaigns(this: ILoadOptionsFunctions) {
	return (await searchCampaigns.call(this)).results;
}

/** Returns entries such as `Boas-vindas · 4 of 6 delivered · …6b34`: two may have the same name. */
function campaignEntries(body: AnswerBody | undefined): INodeListSearchItems[] {
	const campaigns = campaignsIn(body)!.filter((campaign) => campaignIdOf(campaign) !== '');
	return campaigns.map((campaign) => {
		const [total, delivered] = ['total', 'delivered'].map((name) => countOf(campaign, name));
		const isCounted = total !== undefined && delivered !== undefined;
		const counts = isCounted ? `${delivered} of ${total} delivered` : undefined;
		return {
			name: joinLine(campaign.campaignName, counts, abbreviateId(campaignIdOf(campaign))),
			value: campaignIdOf(campaign),
		};
	});
}
