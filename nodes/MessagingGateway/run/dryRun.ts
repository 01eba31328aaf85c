import type { IDataObject } from 'n8n-workflow';

import type { Claim } from './keys/keyStore';
import type { Result, Tried } from './result';

/** What a dry run says of the key of an item; of one that names another message, its problem does. */
export const deduplicationOf = (claim: Claim): string | undefined =>
	({ fresh: 'fresh', accepted: 'skipped', unanswered: 'inDoubt' })[claim as string];

/** So that an agent does not tell anybody that it has sent a message. */
const forAgent = {
	note: "Nothing was sent: 'Dry Run' is on. This is what would happen to the message.",
};

/**
 * What comes out of an item that was only tried, in place of its result: one that would have failed
 * is an item as well.
 *
 * @param known what would be sent, as far as it is known
 */
export function tried(known: IDataObject, result: Result, isTool: boolean): Tried {
	const output = {
		dryRun: true,
		...verdictOf(result),
		...known,
		...againstIt(result),
		...(isTool && forAgent),
	};
	const told = Object.entries(output).filter(([, value]) => value !== undefined);
	return { kind: 'tried', output: [Object.fromEntries(told)] };
}

function verdictOf({ kind }: Result): { verdict: 'refuse' | 'send' | 'skip' } {
	if (kind === 'refused' || kind === 'unknown') return { verdict: 'refuse' };
	return { verdict: kind === 'accepted' ? 'send' : 'skip' };
}

function againstIt(result: Result): IDataObject | undefined {
	if ('error' in result) return { problem: result.error.message, hint: result.description };
	return result.output[0];
}
