import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { accountOf } from '../../gateway/account';
import {
	campaignsIn,
	channels,
	countOf,
	idOf,
	queryCampaigns,
} from '../../gateway/endpoints/campaigns';
import { ownedBy } from '../../gateway/owner';
import { mayNeedId } from '../operations/campaign/query';
import { line, search } from './search';

/**
 * The campaigns of the channel that the form names, for a resource locator.
 *
 * @throws NodeOperationError when the channel is not known yet, or needs an instance token
 * @throws NodeApiError when the campaigns cannot be read (interface §4.7, §4.8)
 */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const entered = this.getCurrentNodeParameter('channel');
	return await searchChannel(this, filter, entered === undefined ? channels[0] : entered);
}

/** Those of the chat app, likewise. */
export async function searchChatAppCampaigns(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await searchChannel(this, filter, 'chatApp');
}

async function searchChannel(context: ILoadOptionsFunctions, filter: string, entered: unknown) {
	const owner = ownedBy(context.getNode());
	const channel = channels.find((candidate) => candidate === entered);
	if (!channel) {
		throw owner.invalid(
			"The value of 'Channel' is not known yet",
			"Choose the channel to see its campaigns, or switch 'Campaign ID' to By ID and enter one.",
		);
	}
	return await search(context, filter, {
		request: (client) => ({
			...queryCampaigns(accountOf(owner, client), channel),
			judge: mayNeedId("Switch 'Campaign ID' to By ID and enter one."),
		}),
		entries: (body) =>
			campaignsIn(body)
				?.filter((campaign) => idOf(campaign) !== '')
				.map(toEntry),
	});
}

function toEntry(campaign: IDataObject): INodeListSearchItems {
	const id = idOf(campaign);
	const [total, delivered] = ['total', 'delivered'].map((name) => countOf(campaign, name));
	const isCounted = total !== undefined && delivered !== undefined;
	return {
		name: line(campaign.nome, id),
		value: id,
		...(isCounted && { description: `${delivered} of ${total} messages delivered` }),
	};
}
