import { inCredential } from '../gateway/credentialField';
import type { Hints } from '../gateway/errors';

/** Returns the hints about a request that failed, one sentence each. The operation's own win. */
export const hintsFor = ({ hints }: { hints?: Hints }): Hints => ({ ...commonHints, ...hints });

/** Returns hints about what the service has not found. @param names of the fields that say what it looked for */
export const hintsToCheck = (...names: string[]): Hints => {
	const check = `Check ${names.map((name) => `'${name}'`).join(' and ')}.`;
	return { campaignNotFound: check, notFound: check };
};

/** Returns the hint about a value that the service does not take. @param fields to check besides */
const hintToCorrect = (fields = ''): string =>
	`Correct the value that the service names. If no field has it, check ${fields}the service details ${inCredential}.`;

const commonHints: Hints = {
	campaignNotFound: '',
	notFound: '',
	deletionNotPermitted:
		"Check with 'Campaign: Get' whether its messages are still queued, and delete it later.",
	validation: hintToCorrect(),
	tooManyRequests:
		"Set 'Requests per Second' in the credential, lower 'Max Concurrency', or raise 'Max Retries'.",
	unavailable: "'Max Retries' in the credential sets how often the request is repeated.",
	unreadable: 'Run the node that produces the file again.',
	noAnswer: "'Timeout' in the credential sets how long to wait.",
};

/** The hints of the operations that have 'Extra Fields (JSON)'. */
export const extraFieldsHints: Hints = { validation: hintToCorrect("'Extra Fields (JSON)' and ") };
