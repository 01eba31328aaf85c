import { firstObject } from '../answerBody';
import { campaignsIn, pick } from '../endpoints/campaigns';
import { situationOf } from './situation';
import { explained, refuseIf, type NotAccepted } from '../outcome';
import type { Judge } from '../request';

/** If the campaign is missing from the answer, it was not found. */
export const notFoundWithout =
	(id: string): Judge =>
	(outcome) =>
		refuseIf((body) => {
			const campaigns = campaignsIn(body);
			if (!campaigns || pick(campaigns, id).length > 0) return undefined;
			return explained('rejected', {
				message: 'This campaign was not found',
				facts:
					campaigns.length === 0
						? 'The service answered with an empty list.'
						: 'The service answered with other campaigns instead.',
				advice:
					"Check 'Campaign ID' and 'Channel'. If this happens with every campaign, check 'Campaign ID Parameter' in the Messaging Gateway credential.",
			});
		})(withList(outcome));

/** Refuses an answer that only says yes; one of another shape passes. */
const withList = refuseIf((body) => {
	const names = Object.keys(firstObject(body));
	const others = names.filter((name) => !['success', 'message'].includes(name));
	const isOther = others.length > 0 && !others.includes('campaigns');
	return campaignsIn(body) || isOther ? undefined : withoutList;
});

export const withoutList = explained('unusable', {
	message: 'The service answered without a list of campaigns',
	facts: "The documentation of the service shows a list named 'campaigns'.",
	advice: "Check 'Channel', or contact your messaging service's support.",
});

/**
 * A query for all campaigns may be refused because it has no ID (the interface leaves open whether
 * one is required), or its answer may be too large.
 *
 * @param advice what to do then
 */
export const mayNeedId =
	(advice: string): Judge =>
	(answered) => {
		const outcome = withList(answered);
		if (outcome.kind === 'unknown' && outcome.reason.kind === 'tooLarge') {
			return { ...outcome, reason: { ...outcome.reason, explanation: { ...tooMany, advice } } };
		}
		if (outcome.kind !== 'refused' || !isOfRequest(outcome)) return outcome;
		const { text, status } = outcome.reason;
		const explanation = {
			message: `The service did not list the campaigns${text ? `: "${text}"` : ` (HTTP ${status})`}`,
			facts: 'The service may require a campaign ID. Its documentation does not say.',
			advice,
		};
		return { ...outcome, reason: { ...outcome.reason, explanation } };
	};

const tooMany = {
	message: 'The service sent too many campaigns at once',
	facts: 'With all their messages, the answer is larger than 16 MB. The rest of it was not read.',
};

/** Whether the request itself was refused, regardless of credential, address and service state. */
const isOfRequest = (outcome: NotAccepted): boolean =>
	outcome.reason.kind === 'validation' ||
	['campaignNotFound', 'rejected'].includes(situationOf(outcome));
