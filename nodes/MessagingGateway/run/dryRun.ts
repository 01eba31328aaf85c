import type { IDataObject } from 'n8n-workflow';

import type { Claim } from './keys/keyStore';
import type { NotSent, Result } from './job';

/** How a dry run shows the state of a key; `elsewhere` is shown by the item's problem. */
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
		verdict: verdictOf(result),
		...known,
		...('error' in result
			? { problem: result.error.message, hint: result.description }
			: result.output[0]),
		...(isTool && forAgent),
	};
	const defined = Object.entries(output).filter(([, value]) => value !== undefined);
	return { kind: 'dryRun', output: [Object.fromEntries(defined)] };
}

function verdictOf({ kind }: Result): 'refuse' | 'send' | 'skip' {
	if (kind === 'refused' || kind === 'unknown') return 'refuse';
	return kind === 'accepted' ? 'send' : 'skip';
}
