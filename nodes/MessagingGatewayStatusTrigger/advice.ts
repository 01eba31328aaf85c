import type { Advice } from '../gateway/errors';
import type { StatusEvent } from './statusEvent';

/** What the fields of an event can do about a request that was not accepted. */
export function adviceFor({ fields }: Pick<StatusEvent, 'fields'>): Advice {
	const less = "Look less often ('Poll Times')";
	if (!fields.some(({ name }) => name === 'campaignIds')) return { tooManyRequests: `${less}.` };
	return {
		campaignNotFound: "Check 'Campaign IDs' and 'Channel'.",
		notFound: "Check 'Campaign IDs', too.",
		tooManyRequests: `${less}, or watch fewer campaigns.`,
	};
}
