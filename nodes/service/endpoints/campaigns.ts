import type { IDataObject } from 'n8n-workflow';

import { chatAppPath, type Account } from '../../account/account';
import { inServiceDetails } from '../../account/credentialField';
import { entryOf, groupBy } from '../../text/collections';
import { withPlus, personOf } from '../../text/phoneNumber';
import { digitsOf } from '../../text/spelling';
import { objectList, isObject, textOf, toText } from '../../text/values';
import {
	firstObject,
	refused,
	explained,
	refuseIf,
	situationOf,
	type AnswerBody,
} from '../outcome';
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

const campaignsOfAnswers = new WeakMap<object, IDataObject[]>();

const toCampaign = ({ campaignId, nome: campaignName, ...campaign }: IDataObject) => ({
	...{ campaignId, campaignName, ...campaign },
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

/** A message entry of interface §2.6, with the campaign that lists it. */
export interface ListedMessage {
	campaign: IDataObject;
	message: IDataObject;
}

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
	const made = new WeakMap<object, Map<string, ListedMessage[]>>();
	const indexOf = (body: AnswerBody) => {
		const listed = (campaignsIn(body) ?? []).flatMap((campaign) =>
			objectList(campaign.messages).map((message) => ({ campaign, message })),
		);
		return groupBy(listed, ({ message }) => keyOf(message));
	};
	return (body: AnswerBody) => entryOf(made, body as object, () => indexOf(body));
}

/** Reduces a list to the campaign with an ID, and refuses one that lacks it. @param field the one that has the ID */
export const onlyWithId =
	(id: string, field = 'Campaign ID'): Judge =>
	(outcome) => {
		const listed = outcome.kind === 'accepted' ? campaignsIn(outcome.body) : undefined;
		if (!listed) return outcome;
		const isOnly = listed.length === 1 && campaignIdOf(listed[0]!) === ''; // it may lack its ID
		const isAsked = (each: IDataObject) => campaignIdOf(each).toLowerCase() === id.toLowerCase();
		const campaigns = isOnly ? listed : listed.filter(isAsked);
		if (campaigns.length > 0) return { kind: 'accepted', body: { campaigns } };
		const explanation = {
			message: 'This campaign was not found',
			hint: `Check '${field}' and 'Channel'. The service listed none, or others: if this happens with every campaign, check 'Campaign ID Parameter' ${inServiceDetails}.`,
		};
		return refused(explained('rejected', explanation));
	};

/** Refuses an answer without campaigns, for callers that read them. @param hint as for `mayNeedId` */
export function needsCampaigns(id: string | undefined, hint: string, field?: string): Judge {
	const judge = id === undefined ? mayNeedId(hint) : onlyWithId(id, field);
	const missingList = explained('unusable', {
		message: 'The service answered without a list of campaigns',
		hint: "Check 'Channel', or contact your messaging service's support. The documentation of the service shows a list named 'campaigns'.",
	});
	const needsList = refuseIf((body) => (campaignsIn(body) ? undefined : missingList));
	return (outcome) => needsList(judge(outcome));
}

/** Explains why a query without an ID was refused: the interface leaves open whether one is required. */
export const mayNeedId =
	(hint: string): Judge =>
	(outcome) => {
		// Any other refusal is about the credential, the address or the state of the account.
		const refusals = ['campaignNotFound', 'rejected', 'validation'];
		if (outcome.kind === 'accepted' || !refusals.includes(situationOf(outcome))) return outcome;
		const { reason } = outcome;
		const said = reason.text ? `: "${reason.text}"` : ` (HTTP ${reason.status})`;
		const explanation = {
			message: `The service did not list the campaigns${said}`,
			hint: `${hint} The service may require a campaign ID: its documentation does not say.`,
		};
		return { ...outcome, reason: { ...reason, explanation } };
	};
