import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../text/toText';
import type { ServiceNames } from '../serviceNames';
import { firstObject, isObject, objectList, type AnswerBody } from '../answerBody';
import type { GatewayRequest } from '../request';

export const channels = ['sms', 'chatApp'] as const;
export type Channel = (typeof channels)[number];

/** Interface §4.7, §4.8: one campaign or, without an ID, all. @throws as `chatAppPath` */
export const queryCampaigns = (
	service: ServiceNames,
	channel: Channel,
	id?: string,
): GatewayRequest => ({
	method: 'GET',
	path: channel === 'sms' ? '/v1/sms/campaign/messages' : service.chatAppPath('/campaign/messages'),
	...(id !== undefined && { query: { [service.names.campaignIdParameter]: id } }),
});

/** Interface §4.6. @throws likewise */
export const deleteCampaign = (service: ServiceNames, campaignId: string): GatewayRequest => ({
	method: 'DELETE',
	path: service.chatAppPath('/campaign/excluir'),
	body: { campanhaId: campaignId },
	expected: 'notShown',
});

/** Interface §2.6, or just its list; undefined for an answer of another shape. */
export function campaignsIn(body: AnswerBody | undefined): IDataObject[] | undefined {
	const { campaigns } = firstObject(body);
	if (Array.isArray(campaigns)) return objectList(campaigns);
	const alone = objectList(body);
	return alone.some((campaign) => idOf(campaign) !== '') ? alone : undefined;
}

/** A counter of the statistics, which may be text; undefined if it is no count. */
export function countOf({ statistics }: IDataObject, name: string): number | undefined {
	const value = isObject(statistics) ? statistics[name] : undefined;
	const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

/** A campaign's list of messages; undefined if it was omitted. */
export function messagesIn(campaign: IDataObject): unknown[] | undefined {
	const { messages } = campaign;
	if (!Array.isArray(messages)) return undefined;
	return messages.length === 0 && countOf(campaign, 'total') ? undefined : messages;
}

/** Empty if the campaign has none. */
export const idOf = ({ campaignId }: IDataObject): string => textOf(campaignId);

/** The campaign with this ID, as the service may return all. A single one may lack the ID. */
export function pick(campaigns: IDataObject[], id: string): IDataObject[] {
	const [only, ...others] = campaigns;
	if (only && others.length === 0 && idOf(only) === '') return [only];
	return campaigns.filter((campaign) => idOf(campaign).toLowerCase() === id.toLowerCase());
}
