import type { IDataObject } from 'n8n-workflow';

import type { AnswerBody } from '../../../gateway/answerBody';
import { campaignsIn, countOf, messagesIn, pick } from '../../../gateway/endpoints/campaigns';
import {
	mayNeedId,
	notFoundWithout,
	withoutList,
} from '../../../gateway/judge/campaignList';
import { refused, type Outcome } from '../../../gateway/outcome';

const nameCampaign = "Set 'Campaign ID' in the options: then one campaign is read.";

/**
 * The campaigns that a message is looked up in, and no others, each with its messages: where these
 * are left out, nobody knows whether the message is among them.
 *
 * @param id of the only campaign that is asked for
 */
export function withAllMessages(id?: string): (answered: Outcome) => Outcome {
	const judge = id === undefined ? mayNeedId(nameCampaign) : notFoundWithout(id);
	return (answered) => {
		const outcome = judge(answered);
		if (outcome.kind !== 'accepted') return outcome;
		const listed = campaignsIn(outcome.body);
		if (!listed) return withoutList;
		const campaigns = id === undefined ? listed : pick(listed, id);
		if (campaigns.every(messagesIn)) return { ...outcome, body: { campaigns } };
		return refused({
			kind: 'unusable',
			explanation: {
				message: 'The service did not list the messages of a campaign',
				facts: 'Without them, it is not known whether the message is there.',
				advice:
					id === undefined ? nameCampaign : "'Campaign: Get' shows what it says of the campaign.",
			},
		});
	};
}

/**
 * What it means where a message is missed: not found, unless the service has listed a part of the
 * messages only.
 *
 * @param isMissed in an answer
 * @param isError whether a message that is not found is an error
 */
export const missed =
	(isMissed: (body: AnswerBody | undefined) => boolean, isError: boolean) =>
	(outcome: Outcome): Outcome => {
		if (outcome.kind !== 'accepted' || !isMissed(outcome.body)) return outcome;
		if (campaignsIn(outcome.body)?.some(isCutShort)) return refused(notAmongListed);
		return isError ? refused(notFound) : outcome;
	};

const isCutShort = (campaign: IDataObject): boolean =>
	(countOf(campaign, 'total') ?? 0) > (messagesIn(campaign)?.length ?? 0);

const notAmongListed = {
	kind: 'unusable',
	explanation: {
		message: 'The message is not among those that the service listed, and it did not list all',
		facts: "A campaign has more messages than its list ('total' in its statistics).",
		advice: 'Look the message up at your messaging service.',
	},
} as const;

const notFound = {
	kind: 'rejected',
	explanation: {
		message: 'The message was not found',
		facts: 'The service does not list it.',
		advice:
			"Check what to find it by, 'Channel', and 'Campaign ID' where it is set. A message that was sent a moment ago may be listed later.",
	},
} as const;
