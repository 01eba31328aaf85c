import type { Advice } from '../shared/explain';

/** What the fields and options of this node can do about a request that was not accepted. */
export const advice: Advice = {
	campaignNotFound: "Check 'Campaign ID' and, when reading, 'Channel'.",
	deletionNotPermitted: "'Campaign: Get' shows what state its messages are in.",
	instanceDisconnected: "'Instance: Get Connection State' shows whether it is connected.",
	rejected: 'Check the values of this item against what your messaging service accepts.',
	notFound: 'Check the ID in this node, too.',
	validation:
		"Correct the field that is named. If your service wants a field that this node does not have, add it with 'Additional Body Fields' in the options.",
	tooManyRequests:
		"Lower 'Requests per Second' or 'Max Concurrency' in the options, or raise 'Max Retries'.",
	unavailable: "'Max Retries' in the options says how often this node does so by itself.",
	unreadable: 'Run the node that produces the file again.',
	noAnswer: "'Timeout' in the options sets how long to wait.",
};
