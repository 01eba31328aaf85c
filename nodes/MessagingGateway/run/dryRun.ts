import type { IDataObject } from 'n8n-workflow';

import type { Claim } from './keys/keyStore';
import type { Failed, NotSent, Result } from './job';

/** How a dry run shows the state of a key; `elsewhere` is shown by the item's explanation. */
export const deduplicationOf = (claim: Claim): string | undefined =>
	({ fresh: 'fresh', accepted: 'skipped', unanswered: 'inDoubt' })[claim as string];

/** Keeps an agent from saying that it has sent a message. */
const forAgent = {
	note: "Nothing was sent: 'Dry Run' is on. This is what would happen to the message.",
};

/**
 * What a dry run makes of an item's result; one that would fail is output, too.
 *
 * @param known what is known so far of what would be sent
 */
export function toDryRun(known: IDataObject, result: Result, isTool: boolean): NotSent {
	const output = {
		dryRun: true,
		wouldSend: result.kind === 'accepted',
		...known,
		...('error' in result ? whyFailed(result) : result.output[0]),
		...(isTool && forAgent),
	};
	const defined = Object.entries(output).filter(([, value]) => value !== undefined);
	return { kind: 'dryRun', output: [Object.fromEntries(defined)] };
}

/** `reason` is the `outcome` of a real run, as that of a skipped item is its reason. */
const whyFailed = ({ kind, error: { message }, description }: Failed): IDataObject => ({
	reason: kind,
	explanation: message,
	hint: description,
});
