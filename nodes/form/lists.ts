import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { objectList, type AnswerBody } from '../gateway/outcome';
import { connect, type Client } from '../gateway/client';
import { listApiKeys } from '../gateway/endpoints/apiKeys';
import {
	campaignsIn,
	countOf,
	campaignIdOf,
	needsCampaigns,
	queryCampaigns,
	type Channel,
} from '../gateway/endpoints/campaigns';
import { toNodeApiError } from '../gateway/errors';
import type { GatewayRequest } from '../gateway/request';
import { asLine, textOf } from '../text/text';
import { choice, flag, locator, number } from './field';
import type { Reader } from './item';

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

const returnAllField = flag({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limitField = number({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
});

/** The limit is undefined where all results are wanted. */
export const listLimitFields = {
	returnAll: returnAllField,
	limit: {
		...limitField,
		read: (item: Reader) => (returnAllField.read(item) ? undefined : limitField.read(item)),
	},
};

/**
 * Lists API keys for a resource locator, e.g. `Shop · active · sms · …97b0`: n8n shows only a name.
 *
 * @throws NodeApiError when the keys cannot be read (interface §4.1)
 */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await searchList(this, filter, listApiKeys, (body) =>
		objectList(body)
			.filter(({ id }) => textOf(id) !== '')
			.map(({ id, name, status, channel, masked_key: mask }) => ({
				name: joinLine(name, status, channel, endOf(mask)),
				value: `${id}`, // unchanged, since it is sent back
			})),
	);
}

/**
 * Lists the campaigns of the form's channel for a resource locator. If the channel is an expression, they
 * are those of SMS.
 *
 * @throws NodeOperationError when the instance token is missing
 * @throws NodeApiError when the campaigns cannot be read (interface §4.7, §4.8)
 */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const channel = this.getCurrentNodeParameter('channel') === 'chatApp' ? 'chatApp' : 'sms';
	return await searchChannel(this, filter, channel);
}

export async function searchChatAppCampaigns(this: ILoadOptionsFunctions, filter = '') {
	return await searchChannel(this, filter, 'chatApp');
}

/** Lists the campaigns of the form's channel for a dropdown with several choices. */
export async function loadCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return (await searchCampaigns.call(this)).results;
}

async function searchChannel(context: ILoadOptionsFunctions, filter: string, channel: Channel) {
	const request = (client: Client) => ({
		...queryCampaigns(client, channel),
		judge: needsCampaigns(undefined, 'Enter the ID, or an expression that returns it.'),
	});
	return await searchList(context, filter, request, campaignEntries);
}

/** Returns entries such as `Boas-vindas · 4 of 6 delivered · …6b34`: two may have the same name. */
function campaignEntries(body: AnswerBody | undefined): INodeListSearchItems[] {
	const campaigns = campaignsIn(body)!.filter((campaign) => campaignIdOf(campaign) !== '');
	return campaigns.map((campaign) => {
		const [total, delivered] = ['total', 'delivered'].map((name) => countOf(campaign, name));
		const isCounted = total !== undefined && delivered !== undefined;
		const counts = isCounted ? `${delivered} of ${total} delivered` : undefined;
		return {
			name: joinLine(campaign.campaignName, counts, endOf(campaignIdOf(campaign))),
			value: campaignIdOf(campaign),
		};
	});
}

const endOf = (id: unknown): string | undefined =>
	typeof id === 'string' && id !== '' ? `…${id.slice(-4)}` : undefined;

const listTimeoutMs = 10_000;

/** Reads a list and filters it by name and ID. */
async function searchList(
	context: ILoadOptionsFunctions,
	filter: string,
	requestOf: (client: Client) => GatewayRequest,
	entriesOf: (body: AnswerBody | undefined) => INodeListSearchItems[],
): Promise<INodeListSearchResult> {
	const client = await connect(context);
	const request = requestOf(client);
	const outcome = client.shown(await client.attempt(request, listTimeoutMs));
	if (outcome.kind !== 'accepted')
		throw toNodeApiError(context.getNode(), client, outcome, { request });
	const wanted = filter.trim().toLowerCase();
	const isWanted = ({ name, value }: INodeListSearchItems) =>
		[name, `${value}`].some((text) => text.toLowerCase().includes(wanted));
	return { results: entriesOf(outcome.body).filter(isWanted) };
}

/** Joins texts and numbers into one line; leaves out anything else. */
const joinLine = (...values: unknown[]): string =>
	values
		.map((value) => asLine(textOf(value)))
		.filter(Boolean)
		.join(' · ');
