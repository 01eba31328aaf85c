import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { accountOf } from '../gateway/account';
import { objectList, type AnswerBody } from '../gateway/answerBody';
import { connect, type Client } from '../gateway/client';
import { idOfKey, isRevoked, listApiKeys } from '../gateway/endpoints/apiKeys';
import {
	campaignsIn,
	channels,
	countOf,
	idOf,
	queryCampaigns,
} from '../gateway/endpoints/campaigns';
import { toNodeApiError } from '../gateway/errors';
import { mayNeedId } from '../gateway/judge/campaignList';
import type { NotAccepted } from '../gateway/outcome';
import { ownedBy } from '../gateway/owner';
import type { GatewayRequest } from '../gateway/request';
import { asLine } from '../text/quote';

/**
 * The API keys of the account, for a resource locator; those that are revoked already look it, and
 * come last.
 *
 * @throws NodeApiError when the keys cannot be read (interface §4.1)
 */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await search(this, filter, listApiKeys, (body) => {
		const keys = objectList(body).filter((key) => idOfKey(key) !== '');
		const usable = keys.filter((key) => !isRevoked(key));
		return [...usable, ...keys.filter(isRevoked)].map(toKeyEntry);
	});
}

/** `Shop · active · sms · …97b0`, `✗ CRM · revoked · chatapp · …e4c1`. n8n shows a name and no more. */
function toKeyEntry(key: IDataObject): INodeListSearchItems {
	const { name, status, channel, masked_key: mask } = key;
	const end = typeof mask === 'string' && mask !== '' ? `…${mask.slice(-4)}` : '';
	return {
		name: `${isRevoked(key) ? '✗ ' : ''}${line(name, status, channel, end)}`,
		value: `${key.id}`, // as it is, since it is sent back
	};
}

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
export async function searchChatAppCampaigns(this: ILoadOptionsFunctions, filter = '') {
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
	const request = (client: Client) => ({
		...queryCampaigns(accountOf(owner, client), channel),
		judge: mayNeedId("Switch 'Campaign ID' to By ID and enter one."),
	});
	return await search(context, filter, request, (body) =>
		campaignsIn(body)
			?.filter((campaign) => idOf(campaign) !== '')
			.map(toCampaignEntry),
	);
}

function toCampaignEntry(campaign: IDataObject): INodeListSearchItems {
	const id = idOf(campaign);
	const [total, delivered] = ['total', 'delivered'].map((name) => countOf(campaign, name));
	const isCounted = total !== undefined && delivered !== undefined;
	return {
		name: line(campaign.nome, id),
		value: id,
		...(isCounted && { description: `${delivered} of ${total} messages delivered` }),
	};
}

const timeoutMs = 10_000;

/**
 * A list of the account for a resource locator; its search looks at what is shown.
 *
 * @param entriesOf undefined where the answer has another shape
 * @throws NodeApiError when the list cannot be read
 */
async function search(
	context: ILoadOptionsFunctions,
	filter: string,
	requestOf: (client: Client) => GatewayRequest,
	entriesOf: (body: AnswerBody | undefined) => INodeListSearchItems[] | undefined,
): Promise<INodeListSearchResult> {
	const client = await connect(context);
	const request = requestOf(client);
	const outcome = client.shown(await client.attempt(request, timeoutMs));
	const fail = (notAccepted: NotAccepted) =>
		toNodeApiError(context.getNode(), client, notAccepted, { request });
	if (outcome.kind !== 'accepted') throw fail(outcome);
	const entries = entriesOf(outcome.body);
	if (!entries) throw fail({ kind: 'unknown', reason: { kind: 'unusable' } });
	const wanted = filter.trim().toLowerCase();
	return { results: entries.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}

/** One line of what a record has of these; whatever is no text is left out. */
const line = (...values: unknown[]): string =>
	values
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map(String)
		.map((text) => asLine(text))
		.filter((text) => text !== '')
		.join(' · ');
