import type { Advice } from '../shared/explain';

/** What the fields of this node can do about a request that was not accepted. */
export const advice: Advice = {
	campaignNotFound: "Check 'Campaign IDs' and 'Channel'.",
	notFound: "Check 'Campaign IDs', too.",
	tooManyRequests: "Look less often ('Poll Times'), or watch fewer campaigns.",
};
