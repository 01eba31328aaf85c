import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { AnswerBody } from '../../gateway/answerBody';
import { accountOf } from '../../gateway/account';
import { campaignsIn, idOf, pick, queryCampaigns } from '../../gateway/endpoints/campaigns';
import type { Advice } from '../../gateway/errors';
import { channelField } from '../../form/fields/channel';
import { toList } from '../form';
import type { Lack, Poll, Source } from '../statusEvent';

/** What the events about campaigns have in common: interface §4.7 (chat app) and §4.8 (SMS). */
export const campaignFields: INodeProperties[] = [
	{
		...channelField,
		noDataExpression: true,
		description: 'Channel that the campaigns are sent through',
	},
	{
		displayName: 'Campaign IDs',
		name: 'campaignIds',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. 3f2a9c1e-58d4-4c6b-9a51-7d2e8f0b6c34',
		hint: "The 'campaignId' of each, as 'Campaign: Get Many' returns it",
		description:
			'The campaigns to watch, separated by commas, spaces or line breaks. An expression may give such a text or a list.',
	},
];

export const campaignAdvice: Advice = {
	campaignNotFound: "Check 'Campaign IDs' and 'Channel'.",
	notFound: "Check 'Campaign IDs', too.",
	tooManyRequests: "Look less often ('Poll Times'), or watch fewer campaigns.",
};

/** Also what a list looks like that was pasted as JSON. */
const idSeparators = /[\s,;[\]"']+/;

/** @throws NodeOperationError when no campaign is named, or the instance token is missing */
export function campaignSources({ settings, client, invalid, quote }: Poll): Source[] {
	const ids = toList(settings.campaignIds, idSeparators);
	if (!ids) {
		throw invalid(
			"'Campaign IDs' holds an object",
			'Let the expression give the IDs themselves, as a list of texts or as one text with commas.',
		);
	}
	if (ids.length === 0) {
		throw invalid(
			"'Campaign IDs' is empty",
			'Enter the IDs of the campaigns to watch, separated by commas or line breaks.',
		);
	}
	const account = accountOf({ invalid }, client);
	return ids.map((id) => ({
		key: id,
		name: `Campaign ${quote(id)}`,
		request: queryCampaigns(account, settings.channel, id),
	}));
}

/** The campaign that was asked for, under the ID that it was asked by where it tells none. */
export function campaignIn(body: AnswerBody | undefined, { key }: Source): IDataObject | undefined {
	const [campaign] = pick(campaignsIn(body) ?? [], key);
	return campaign && idOf(campaign) === '' ? { ...campaign, campaignId: key } : campaign;
}

export const notThere: Lack = {
	message: 'The service answered without what was asked for',
	description:
		"Check 'Campaign IDs' and 'Channel'. If no campaign of this account is ever found, check 'Campaign ID Parameter' in the Messaging Gateway credential.",
};

export const withoutMessages: Lack = {
	message: 'This campaign came without its messages',
	description:
		"The service did not say which messages the campaign has, each with 'messageId' and 'status'. 'Campaign: Get' shows its answer.",
};
