import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { objectList, type AnswerBody, type NotAccepted } from '../gateway/outcome';
import { connect, type Client } from '../gateway/client';
import { idOfKey, isRevoked, listApiKeys } from '../gateway/endpoints/apiKeys';
import {
	campaignsIn,
	channels,
	countOf,
	idOf,
	mayNeedId,
	queryCampaigns,
} from '../gateway/endpoints/campaigns';
import { toNodeApiError } from '../gateway/errors';
import { ownedBy } from '../gateway/node';
import type { GatewayRequest } from '../gateway/request';
import { asLine } from '../text/text';

/**
 * API keys for a resource locator: revoked ones and the credential's own come last.
 *
 * @throws NodeApiError when the keys cannot be read (interface §4.1)
 */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await search(this, filter, listApiKeys, (body, { isOwnKey }) => {
		const keys = objectList(body).filter((key) => idOfKey(key) !== '');
		const isOwn = ({ masked_key: mask }: IDataObject) => isOwnKey(mask);
		const rank = (key: IDataObject) => (isOwn(key) ? 2 : isRevoked(key) ? 1 : 0);
		return keys
			.sort((a, b) => rank(a) - rank(b))
			.map((key) => toKeyEntry(key, isOwn(key) ? 'in use here' : undefined));
	});
}

/** `Shop · active · sms · …97b0` or `✗ CRM · revoked · chatapp · …e4c1`: n8n shows only a name. */
function toKeyEntry(key: IDataObject, note?: string): INodeListSearchItems {
	const { name, status, channel, masked_key: mask } = key;
	const end = typeof mask === 'string' && mask !== '' ? `…${mask.slice(-4)}` : '';
	return {
		name: `${isRevoked(key) ? '✗ ' : ''}${line(name, status, channel, end, note)}`,
		value: `${key.id}`, // unchanged, since it is sent back
	};
}

/**
 * Campaigns of the form's channel, for a resource locator.
 *
 * @throws NodeOperationError when the channel is unknown, or the instance token it needs is missing
 * @throws NodeApiError when the campaigns cannot be read (interface §4.7, §4.8)
 */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await searchChannel(this, filter, this.getCurrentNodeParameter('channel'));
}

export async function searchChatAppCampaigns(this: ILoadOptionsFunctions, filter = '') {
	return await searchChannel(this, filter, 'chatApp');
}

/** The same for a dropdown with several choices. */
export async function loadCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const channel = this.getCurrentNodeParameter('channel') === 'chatApp' ? 'chatApp' : 'sms';
	return (await searchChannel(this, '', channel, 'Enter their IDs with an expression.')).results;
}

/** @param otherwise what to do if the service does not list campaigns without an ID */
async function searchChannel(
	context: ILoadOptionsFunctions,
	filter: string,
	entered: unknown = channels[0],
	otherwise = "Switch 'Campaign ID' to By ID and enter one.",
) {
	const channel = channels.find((candidate) => candidate === entered);
	if (!channel) {
		throw ownedBy(context.getNode()).invalid(
			"The value of 'Channel' is not known yet",
			"Choose the channel to see its campaigns, or switch 'Campaign ID' to By ID and enter one.",
		);
	}
	const request = (client: Client) => ({
		...queryCampaigns(client, channel),
		judge: mayNeedId(otherwise),
	});
	return await search(context, filter, request, campaignEntries);
}

function campaignEntries(body: AnswerBody | undefined): INodeListSearchItems[] | undefined {
	const campaigns = campaignsIn(body)?.filter((campaign) => idOf(campaign) !== '');
	const named = campaigns?.map((campaign) => ({ name: nameOf(campaign), value: idOf(campaign) }));
	const counts = new Map<string, number>();
	for (const { name } of named ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
	return named?.map(({ name, value }) => ({
		name: counts.get(name) === 1 ? name : line(name, `…${value.slice(-4)}`),
		value,
	}));
}

/** `Boas-vindas · 4 of 6 delivered` */
function nameOf(campaign: IDataObject): string {
	const [total, delivered] = ['total', 'delivered'].map((name) => countOf(campaign, name));
	const isCounted = total !== undefined && delivered !== undefined;
	const name = line(campaign.nome) || line(idOf(campaign));
	return line(name, isCounted ? `${delivered} of ${total} delivered` : undefined);
}

const timeoutMs = 10_000;

/**
 * Reads a list and filters it by name and ID.
 *
 * @param entriesOf undefined: the answer has an unknown shape
 */
async function search(
	context: ILoadOptionsFunctions,
	filter: string,
	requestOf: (client: Client) => GatewayRequest,
	entriesOf: (body: AnswerBody | undefined, client: Client) => INodeListSearchItems[] | undefined,
): Promise<INodeListSearchResult> {
	const client = await connect(context);
	const request = requestOf(client);
	const outcome = client.shown(await client.attempt(request, timeoutMs));
	const fail = (notAccepted: NotAccepted) =>
		toNodeApiError(context.getNode(), client, notAccepted, { request });
	if (outcome.kind !== 'accepted') throw fail(outcome);
	const entries = entriesOf(outcome.body, client);
	if (!entries) throw fail({ kind: 'unknown', reason: { kind: 'unusable' } });
	const wanted = filter.trim().toLowerCase();
	const isWanted = ({ name, value }: INodeListSearchItems) =>
		[name, `${value}`].some((text) => text.toLowerCase().includes(wanted));
	return { results: entries.filter(isWanted) };
}

/** Joins texts and numbers into one line; leaves out anything else. */
const line = (...values: unknown[]): string =>
	values
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map(String)
		.map((text) => asLine(text))
		.filter((text) => text !== '')
		.join(' · ');
