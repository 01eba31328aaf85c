import type { IDataObject } from 'n8n-workflow';

import { channelField } from '../../form/fields/channel';
import type { AnswerBody } from '../../gateway/answerBody';
import { campaignsIn, idOf, pick, queryCampaigns } from '../../gateway/endpoints/campaigns';
import type { Lack, Source, StatusEvent } from '../statusEvent';

/** What the events about campaigns have in common: interface §4.7 (chat app) and §4.8 (SMS). */
export const ofCampaigns: Pick<StatusEvent, 'fields' | 'advice' | 'sources'> = {
	fields: [
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
	],

	advice: {
		campaignNotFound: "Check 'Campaign IDs' and 'Channel'.",
		notFound: "Check 'Campaign IDs', too.",
		tooManyRequests: "Look less often ('Poll Times'), or watch fewer campaigns.",
	},

	/** @throws NodeOperationError when no campaign is named, or the instance token is missing */
	sources(poll) {
		// Also what a list looks like that was pasted as JSON.
		const ids = toList(poll.settings.campaignIds, /[\s,;[\]"']+/);
		if (!ids) {
			throw poll.invalid(
				"'Campaign IDs' holds an object",
				'Let the expression give the IDs themselves, as a list of texts or as one text with commas.',
			);
		}
		if (ids.length === 0) {
			throw poll.invalid(
				"'Campaign IDs' is empty",
				'Enter the IDs of the campaigns to watch, separated by commas or line breaks.',
			);
		}
		return ids.map((id) => ({
			key: id,
			name: `Campaign ${poll.quote(id)}`,
			request: queryCampaigns(poll, poll.settings.channel, id),
		}));
	},
};

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
