import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { firstObject, objectList, type AnswerBody } from '../../../shared/answer';
import type { GatewayRequest } from '../../../shared/client';
import { refused, type Outcome, type Reason } from '../../../shared/outcome';
import { serviceTexts } from '../../../shared/serviceTexts';
import type { Item } from '../../item/item';

/** Interface §4.7 (chat app) and §4.8 (SMS): one query, for a campaign or, without its ID, for all. */

export const channels = ['chatApp', 'sms'] as const;
type Channel = (typeof channels)[number];

export const channelField: INodeProperties = {
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [
		{ name: 'Chat App', value: 'chatApp' },
		{ name: 'SMS', value: 'sms' },
	],
	default: 'chatApp',
	description: 'Channel that the campaign was sent through',
};

/** @throws NodeOperationError when the chat app is asked for, and the credential has no token for it */
export const queryOf = (channel: Channel, item: Pick<Item, 'chatAppPath'>) => ({
	method: 'GET' as const,
	path: channel === 'sms' ? '/v1/sms/campaign/messages' : item.chatAppPath('/campaign/messages'),
});

/** Interface §2.6; undefined: the answer has another shape. */
export function campaignsIn(body: AnswerBody | undefined): IDataObject[] | undefined {
	const { campaigns } = firstObject(body);
	return Array.isArray(campaigns) ? objectList(campaigns) : undefined;
}

/** The identifier of a campaign record; empty where it has none. */
export const idOf = ({ campaignId }: IDataObject): string =>
	typeof campaignId === 'string' || typeof campaignId === 'number' ? `${campaignId}`.trim() : '';

/**
 * The one that was asked for: a service that does not know the query's parameter answers with all.
 * All, where none of them tells its identifier.
 */
export function pick(campaigns: IDataObject[], id: string): IDataObject[] {
	const named = campaigns.filter((campaign) => idOf(campaign) !== '');
	const isAsked = (campaign: IDataObject) => idOf(campaign).toLowerCase() === id.toLowerCase();
	return named.length === 0 ? campaigns : named.filter(isAsked);
}

/** A campaign that is asked for and not in the answer is not found, rather than nothing. */
export const notFoundWithout =
	(id: string): NonNullable<GatewayRequest['judge']> =>
	(outcome) => {
		const campaigns = outcome.kind === 'accepted' ? campaignsIn(outcome.body) : undefined;
		if (!campaigns || pick(campaigns, id).length > 0) return outcome;
		return refused({
			kind: 'rejected',
			explanation: {
				message: 'This campaign was not found',
				facts:
					campaigns.length === 0
						? 'The service answered with an empty list.'
						: 'The service answered with other campaigns, as if it had not been asked for this one.',
				advice:
					"Check 'Campaign ID' and 'Channel'. If campaigns of this account are never found, check 'Campaign ID Parameter' in the Messaging Gateway credential.",
			},
		});
	};

/**
 * Whether the query needs an identifier, the interface does not show: a refusal may be for that.
 *
 * @param advice what to do then
 */
export const mayNeedId =
	(advice: string): NonNullable<GatewayRequest['judge']> =>
	(outcome): Outcome => {
		if (outcome.kind !== 'refused' || !isOfRequest(outcome.reason)) return outcome;
		const { text, status } = outcome.reason;
		const explanation = {
			message: `The service did not list the campaigns${text ? `: "${text}"` : ` (HTTP ${status})`}`,
			facts: 'It may want the ID of one, which its documentation leaves open.',
			advice,
		};
		return { ...outcome, reason: { ...outcome.reason, explanation } };
	};

/** A no that is not about the credential, the address or the state of the service. */
function isOfRequest({ kind, status = 0, text }: Reason): boolean {
	if (kind === 'validation' || text === serviceTexts.campaignNotFound) return true;
	const isKnown = Object.values<string | undefined>(serviceTexts).includes(text);
	return kind === 'rejected' && !isKnown && ![401, 403, 404].includes(status);
}
