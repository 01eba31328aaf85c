import type { IDataObject } from 'n8n-workflow';

import { personOf, withPlus } from '../../text/phoneNumber';
import { digitsOf } from '../../text/spelling';
import { textOf, toText } from '../../text/text';
import { chatAppPath, type Account } from '../account';
import {
	firstObject,
	isObject,
	objectList,
	explained,
	refuseIf,
	situationOf,
	type AnswerBody,
	type Explanation,
	type NotAccepted,
	type Reason,
} from '../outcome';
import { entryOf, groupBy, inProcess } from '../maps';
import type { GatewayRequest, Judge } from '../request';
import { messageIdOf } from './messages';

export type Channel = 'sms' | 'chatApp';

/** Asks for one campaign or, without an ID, for all (interface §4.7, §4.8). @throws as `chatAppPath` */
export const queryCampaigns = (
	account: Account,
	channel: Channel,
	id?: string,
): GatewayRequest => ({
	method: 'GET',
	path:
		channel === 'sms' ? '/v1/sms/campaign/messages' : chatAppPath(account, '/campaign/messages'),
	...(id !== undefined && { query: { [account.campaignIdParameter]: id } }),
});

/** Interface §4.6. @throws as `chatAppPath` */
export const deleteCampaign = (account: Account, campaignId: string): GatewayRequest => ({
	method: 'DELETE',
	path: chatAppPath(account, '/campaign/excluir'),
	body: { campanhaId: campaignId },
	expected: 'notShown',
});

/**
 * Returns the campaigns of interface §2.6, or of just its list; undefined for another shape. They are as
 * outputs have them: `nome` is `campaignName`, and numbers have their +.
 */
export function campaignsIn(body: AnswerBody | undefined): IDataObject[] | undefined {
	const { campaigns } = firstObject(body);
	const listed = objectList(Array.isArray(campaigns) ? campaigns : body);
	const isList = Array.isArray(campaigns) || listed.some((each) => campaignIdOf(each) !== '');
	if (!isList) return undefined;
	return entryOf(campaignsOfAnswers, body as object, () => listed.map(toCampaign));
}

const campaignsOfAnswers = inProcess.weakMap<object, IDataObject[]>();

const toCampaign = ({ campaignId, nome, ...campaign }: IDataObject): IDataObject => ({
	...(campaignId !== undefined && { campaignId }),
	...(nome !== undefined && { campaignName: nome }),
	...campaign,
	...(Array.isArray(campaign.messages) && { messages: campaign.messages.map(toMessage) }),
});

const toMessage = (message: unknown) =>
	isObject(message) && 'to' in message ? { ...message, to: withPlus(message.to) } : message;

/** Returns a counter of the statistics, which may be text; undefined if it is no count. */
export function countOf({ statistics }: IDataObject, name: string): number | undefined {
	const value = isObject(statistics) ? statistics[name] : undefined;
	const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}

/** Returns a campaign's list of messages; undefined if it was omitted. */
export function messagesIn(campaign: IDataObject): unknown[] | undefined {
	const { messages } = campaign;
	if (!Array.isArray(messages)) return undefined;
	return messages.length === 0 && countOf(campaign, 'total') ? undefined : messages;
}

/** Returns the ID of a campaign; empty if it has none. */
export const campaignIdOf = ({ campaignId }: IDataObject): string => textOf(campaignId);

/** Returns the campaign with this ID, as the service may answer with all. A single one may lack the ID. */
export function campaignsWithId(campaigns: IDataObject[], id: string): IDataObject[] {
	const [only, ...others] = campaigns;
	if (only && others.length === 0 && campaignIdOf(only) === '') return [only];
	return campaigns.filter((campaign) => campaignIdOf(campaign).toLowerCase() === id.toLowerCase());
}

/** A message entry of interface §2.6, with the campaign that lists it. */
export interface ListedMessage {
	campaign: IDataObject;
	message: IDataObject;
}

/** Messages are found by their ID, or by the digits of their person's number. */
const messageIndexes = {
	messageId: indexBy((message) => messageIdOf(message)?.trim() ?? ''),
	to: indexBy(({ to }) => personOf(digitsOf(toText(to)))),
};

/** Returns the messages of an answer's campaigns that have this ID or number, in the service's order. */
export const findMessages = (
	body: AnswerBody,
	by: keyof typeof messageIndexes,
	value: string,
): ListedMessage[] => (value === '' ? [] : (messageIndexes[by](body).get(value) ?? []));

/** Returns an index that is made once for each answer, as thousands of items may search it. */
function indexBy(keyOf: (message: IDataObject) => string) {
	const made = inProcess.weakMap<object, Map<string, ListedMessage[]>>();
	const indexOf = (body: AnswerBody) =>
		groupBy(listedMessages(body), ({ message }) => keyOf(message));
	return (body: AnswerBody) => entryOf(made, body as object, () => indexOf(body));
}

const listedMessages = (body: AnswerBody): ListedMessage[] =>
	(campaignsIn(body) ?? []).flatMap((campaign) =>
		objectList(campaign.messages).map((message) => ({ campaign, message })),
	);

/** Returns why a campaign was not found; undefined if it was. @param field the one that has its ID */
export function notFoundIn(
	body: AnswerBody | undefined,
	id: string,
	field = 'Campaign ID',
): Reason | undefined {
	const campaigns = campaignsIn(body);
	if (!campaigns) return missingListIn(body);
	if (campaignsWithId(campaigns, id).length > 0) return undefined;
	return explained('rejected', {
		message: 'This campaign was not found',
		hint: `Check '${field}' and 'Channel'. If this happens with every campaign, check 'Campaign ID Parameter' in the Messaging Gateway credential. The service answered with ${
			campaigns.length === 0 ? 'an empty list' : 'other campaigns instead'
		}.`,
	});
}

/** Returns why an answer has no list if it only says yes; one of another shape passes. */
function missingListIn(body: AnswerBody | undefined): Reason | undefined {
	const names = Object.keys(firstObject(body));
	const others = names.filter((name) => !['success', 'message'].includes(name));
	const isOther = others.length > 0 && !others.includes('campaigns');
	return campaignsIn(body) || isOther ? undefined : missingList;
}

const missingList = explained('unusable', {
	message: 'The service answered without a list of campaigns',
	hint: "Check 'Channel', or contact your messaging service's support. The documentation of the service shows a list named 'campaigns'.",
});

/**
 * Refuses an answer without campaigns, also one of another shape, for callers that read them.
 *
 * @param hint what to do if the service does not list them without an ID
 */
export function needsCampaigns(id: string | undefined, hint: string, field?: string): Judge {
	const judge =
		id === undefined ? mayNeedId(hint) : refuseIf((body) => notFoundIn(body, id, field));
	const needsList = refuseIf((body) => (campaignsIn(body) ? undefined : missingList));
	return (outcome) => needsList(judge(outcome));
}

/**
 * Explains why a query for all campaigns was refused: it may have no ID (the interface leaves open
 * whether one is required), or its answer may be too large.
 *
 * @param hint what to do then
 */
export const mayNeedId =
	(hint: string): Judge =>
	(answered) => {
		const outcome = refuseIf(missingListIn)(answered);
		if (outcome.kind === 'accepted') return outcome;
		const { reason } = outcome;
		const why = reason.kind === 'tooLarge' ? explainTooMany : explainNotListed(outcome);
		return why ? { ...outcome, reason: { ...reason, explanation: why(hint) } } : outcome;
	};

const explainTooMany = (hint: string): Explanation => ({
	message: 'The service sent too many campaigns at once',
	hint: `${hint} With all their messages, the answer is larger than 16 MB.`,
});

/** Returns undefined unless the request itself was refused, whatever credential, address and state are. */
function explainNotListed(outcome: NotAccepted): typeof explainTooMany | undefined {
	const isOfRequest = ['campaignNotFound', 'rejected', 'validation'].includes(situationOf(outcome));
	if (outcome.kind !== 'refused' || !isOfRequest) return undefined;
	const { text, status } = outcome.reason;
	return (hint) => ({
		message: `The service did not list the campaigns${text ? `: "${text}"` : ` (HTTP ${status})`}`,
		hint: `${hint} The service may require a campaign ID: its documentation does not say.`,
	});
}
