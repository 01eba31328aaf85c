import type { IDataObject } from 'n8n-workflow';

import { channelField } from '../../form/fields/channel';
import type { AnswerBody } from '../../gateway/answerBody';
import { campaignsIn, idOf, pick, queryCampaigns } from '../../gateway/endpoints/campaigns';
import { mayNeedId } from '../../gateway/judge/campaignList';
import type { Lack, Poll, Source, StatusEvent } from '../statusEvent';

/** What the events about campaigns have in common: interface §4.7 (chat app) and §4.8 (SMS). */
export const ofCampaigns: Pick<StatusEvent, 'fields' | 'advice' | 'sources'> = {
	fields: [
		{
			...channelField,
			noDataExpression: true,
			description: 'How the messages are sent',
		},
		{
			displayName: 'Campaign Names or IDs',
			name: 'campaignIds',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'loadCampaigns', loadOptionsDependsOn: ['channel'] },
			default: [],
			hint: 'Leave empty to watch every campaign',
			description:
				'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		},
	],

	advice: {
		campaignNotFound: "Check 'Campaign Names or IDs' and 'Channel'.",
		notFound: "Also check 'Campaign Names or IDs'.",
		tooManyRequests: "Poll less often ('Poll Times'), or watch fewer campaigns.",
	},

	/** @throws NodeOperationError when what is named is none, or the instance token is missing */
	sources(poll) {
		// Also what a list looks like that was pasted as JSON.
		const ids = toList(poll.settings.campaignIds, /[\s,;[\]"']+/);
		if (!ids) {
			throw poll.invalid(
				"'Campaign Names or IDs' contains an object",
				'Use an expression that returns a list of IDs, or one text with commas.',
			);
		}
		if (ids.length === 0) return [allCampaigns(poll)];
		return ids.map((id) => ({
			key: id,
			name: `Campaign ${poll.quote(id)}`,
			request: queryCampaigns(poll, poll.settings.channel, id),
		}));
	},
};

/** No campaign has this as its ID. */
const all = '*';

const allCampaigns = (poll: Poll): Source => ({
	key: all,
	name: 'All campaigns',
	request: {
		...queryCampaigns(poll, poll.settings.channel),
		judge: mayNeedId("Choose the campaigns in 'Campaign Names or IDs'."),
	},
});

/**
 * The entries of a list that was typed as one text, or that an expression gives as a list; each once,
 * in upper or lower case.
 *
 * @returns undefined where an entry is an object
 */
export function toList(value: unknown, separators: RegExp): string[] | undefined {
	const entries = [value].flat(Infinity).filter((entry) => entry !== undefined && entry !== null);
	if (entries.some((entry) => typeof entry === 'object')) return undefined;
	const texts = entries.flatMap((entry) => String(entry).split(separators));
	const named = texts.map((text) => text.trim()).filter((text) => text !== '');
	// Of entries with the same name the first one stays: a map keeps the last.
	const each = new Map(named.reverse().map((text) => [text.toLowerCase(), text]));
	return [...each.values()].reverse();
}

/**
 * The campaigns that were asked for; one that was asked for by its ID has that ID where it tells none.
 * Undefined where the answer has not what was asked for.
 */
export function watchedIn(
	body: AnswerBody | undefined,
	{ key }: Source,
): IDataObject[] | undefined {
	const campaigns = campaignsIn(body);
	if (key === all) return campaigns?.filter((campaign) => idOf(campaign) !== '');
	const [campaign] = pick(campaigns ?? [], key);
	return campaign && [idOf(campaign) === '' ? { ...campaign, campaignId: key } : campaign];
}

export const notThere: Lack = {
	message: 'The service did not return this campaign',
	description:
		"Check 'Campaign Names or IDs' and 'Channel'. If campaigns of this account are never found, check 'Campaign ID Parameter' in the Messaging Gateway credential.",
};

export const withoutMessages: Lack = {
	message: 'The service returned this campaign without its messages',
	description:
		"Run 'Campaign: Get' to see its answer. Every message in it needs a 'messageId' and a 'status'.",
};
