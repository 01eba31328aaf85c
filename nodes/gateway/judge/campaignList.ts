import { firstObject } from '../answerBody';
import { campaignsIn, messagesIn, pick } from '../endpoints/campaigns';
import { situationOf } from './situation';
import { refused, type NotAccepted, type Outcome } from '../outcome';
import type { GatewayRequest } from '../request';

/** A campaign that is asked for and not in the answer is not found, rather than nothing. */
export const notFoundWithout =
	(id: string): NonNullable<GatewayRequest['judge']> =>
	(answered) => {
		const outcome = withList(answered);
		const campaigns = outcome.kind === 'accepted' ? campaignsIn(outcome.body) : undefined;
		if (!campaigns || pick(campaigns, id).length > 0) return outcome;
		return refused({
			kind: 'rejected',
			explanation: {
				message: 'This campaign was not found',
				facts:
					campaigns.length === 0
						? 'The service answered with an empty list.'
						: 'The service answered with other campaigns instead.',
				advice:
					"Check 'Campaign ID' and 'Channel'. If this happens with every campaign, check 'Campaign ID Parameter' in the Messaging Gateway credential.",
			},
		});
	};

/** Messages that are asked for and left out are missed, rather than none. */
export const withMessages =
	(id: string): NonNullable<GatewayRequest['judge']> =>
	(answered) => {
		const outcome = notFoundWithout(id)(answered);
		const campaigns = outcome.kind === 'accepted' ? campaignsIn(outcome.body) : undefined;
		if (!campaigns || pick(campaigns, id).every(messagesIn)) return outcome;
		return refused({
			kind: 'unusable',
			explanation: {
				message: 'This campaign came without its messages',
				advice: "Set 'Output' to Campaign to see its other data.",
			},
		});
	};

/** An answer that holds nothing but a yes; one of another shape comes out as it is. */
function withList(outcome: Outcome): Outcome {
	if (outcome.kind !== 'accepted' || campaignsIn(outcome.body)) return outcome;
	const names = Object.keys(firstObject(outcome.body));
	const others = names.filter((name) => !['success', 'message'].includes(name));
	return others.length > 0 && !others.includes('campaigns') ? outcome : withoutList;
}

export const withoutList = refused({
	kind: 'unusable',
	explanation: {
		message: 'The service answered without a list of campaigns',
		facts: "Its documentation shows a list named 'campaigns'.",
		advice: "Check 'Channel', or contact your messaging service's support.",
	},
});

/**
 * Whether the query needs an identifier, the interface does not show: a refusal may be for that. And
 * all campaigns at once may be more than is read.
 *
 * @param advice what to do then
 */
export const mayNeedId =
	(advice: string): NonNullable<GatewayRequest['judge']> =>
	(answered): Outcome => {
		const outcome = withList(answered);
		if (outcome.kind === 'unknown' && outcome.reason.kind === 'tooLarge') {
			return { ...outcome, reason: { ...outcome.reason, explanation: { ...tooMany, advice } } };
		}
		if (outcome.kind !== 'refused' || !isOfRequest(outcome)) return outcome;
		const { text, status } = outcome.reason;
		const explanation = {
			message: `The service did not list the campaigns${text ? `: "${text}"` : ` (HTTP ${status})`}`,
			facts: 'It may require a campaign ID. Its documentation does not say.',
			advice,
		};
		return { ...outcome, reason: { ...outcome.reason, explanation } };
	};

const tooMany = {
	message: 'The service sent too many campaigns at once',
	facts: 'With all their messages, its answer is larger than 16 MB. The rest of it was not read.',
};

/** A no that is not about the credential, the address or the state of the service. */
const isOfRequest = (outcome: NotAccepted): boolean =>
	outcome.reason.kind === 'validation' ||
	['campaignNotFound', 'rejected'].includes(situationOf(outcome));
