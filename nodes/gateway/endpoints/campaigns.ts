import type { IDataObject } from 'n8n-workflow';

import type { Account } from '../account';
import { firstObject, isObject, objectList, type AnswerBody } from '../answerBody';
import type { GatewayRequest } from '../request';

export const channels = ['sms', 'chatApp'] as const;
export type Channel = (typeof channels)[number];

/**
 * Interface §4.7 (chat app) and §4.8 (SMS): one query, for a campaign or, without its ID, for all.
 *
 * @throws what the account makes of it when the chat app's token is missing
 */
export const queryCampaigns = (
	account: Account,
	channel: Channel,
	id?: string,
): GatewayRequest => ({
	method: 'GET',
	path: channel === 'sms' ? '/v1/sms/campaign/messages' : account.chatAppPath('/campaign/messages'),
	...(id !== undefined && { query: { [account.names.campaignIdParameter]: id } }),
});

/** Interface §4.6: a DELETE with a body. @throws likewise */
export const deleteCampaign = (account: Account, campaignId: string): GatewayRequest => ({
	method: 'DELETE',
	path: account.chatAppPath('/campaign/excluir'),
	body: { campanhaId: campaignId },
	expected: 'notShown',
});

/** Interface §2.6, or its list alone; undefined: the answer has another shape. */
export function campaignsIn(body: AnswerBody | undefined): IDataObject[] | undefined {
	const { campaigns } = firstObject(body);
	if (Array.isArray(campaigns)) return objectList(campaigns);
	const alone = objectList(body);
	return alone.some((campaign) => idOf(campaign) !== '') ? alone : undefined;
}

/** A counter of the statistics, also as text; undefined where it is none. */
export function countOf({ statistics }: IDataObject, name: string): number | undefined {
	const value = isObject(statistics) ? statistics[name] : undefined;
	const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

/** The entries of a campaign's list of messages; undefined where it was left out. */
export function messagesIn(campaign: IDataObject): unknown[] | undefined {
	const { messages } = campaign;
	if (!Array.isArray(messages)) return undefined;
	return messages.length === 0 && countOf(campaign, 'total') ? undefined : messages;
}

/** The identifier of a campaign record; empty where it has none. */
export const idOf = ({ campaignId }: IDataObject): string =>
	typeof campaignId === 'string' || typeof campaignId === 'number' ? `${campaignId}`.trim() : '';

/**
 * The one that was asked for: a service that does not know the query's parameter answers with all.
 * A single one that tells no identifier is taken for it.
 */
export function pick(campaigns: IDataObject[], id: string): IDataObject[] {
	const [only, ...others] = campaigns;
	if (only && others.length === 0 && idOf(only) === '') return [only];
	return campaigns.filter((campaign) => idOf(campaign).toLowerCase() === id.toLowerCase());
}
