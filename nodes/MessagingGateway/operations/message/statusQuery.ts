import type { IDataObject } from 'n8n-workflow';

import type { AnswerBody } from '../../../gateway/answerBody';
import { campaignsIn, countOf, messagesIn, pick } from '../../../gateway/endpoints/campaigns';
import { mayNeedId, notFoundWithout, withoutList } from '../../../gateway/judge/campaignList';
import { refused, type Outcome } from '../../../gateway/outcome';

const nameCampaign = "Set 'Campaign ID' in the options to search one campaign only.";

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
				facts: 'The message may be among them.',
				advice:
					id === undefined
						? nameCampaign
						: "Use 'Campaign: Get' to see what the service returns for it.",
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
		message: 'The message was not found, but the service did not list all messages',
		facts: "A campaign has more messages ('total' in its statistics) than the service listed.",
		advice: 'Check the message at your messaging service.',
	},
} as const;

const notFound = {
	kind: 'rejected',
	explanation: {
		message: 'The message was not found',
		facts: 'The service does not list it.',
		advice:
			"Check 'Channel', the message ID or number, and 'Campaign ID' if it is set. A message that was just sent may not be listed yet.",
	},
} as const;
