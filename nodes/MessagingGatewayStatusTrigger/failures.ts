import type { IPollFunctions } from 'n8n-workflow';

import type { NodeError } from '../n8n/errors';
import { situationOf, type Outcome } from '../service/outcome';
import { toNodeApiError } from '../service/requestError';
import { withHint } from '../text/sentences';
import type { PolledNode } from './state';
import type { Source, Poll, StatusRecord } from './statusEvent';

/** The reason why one source, or every source, could not be read. */
export interface Failure {
	error: NodeError;
	/** The source that fails; undefined if probably every source fails like this, which ends the poll. */
	source: Source | undefined;
}

/**
 * Returns the records in an outcome, or why there are none.
 *
 * @param othersRead whether the service has answered for another source in this poll
 */
export function recordsIn(
	poll: Poll,
	source: Source,
	outcome: Outcome,
	othersRead = false,
): StatusRecord[] | Failure {
	const { node, event, client } = poll;
	if (outcome.kind === 'accepted') {
		const records = event.records(outcome.body, source, poll);
		return Array.isArray(records) ? records : { error: records, source };
	}
	const error = toNodeApiError(node, client, outcome, {
		request: source.request,
		hints: { tooManyRequests: "Poll less often ('Poll Times').", ...event.hints },
		inPause: '. This node sends no requests until then.',
	});
	// All other refusals concern the account.
	const ofSource = ['campaignNotFound', 'notFound', 'rejected', 'unusable', 'validation'];
	const isOwn = outcome.kind === 'unknown' ? othersRead : ofSource.includes(situationOf(outcome));
	return { error, source: isOwn ? source : undefined };
}

/**
 * Returns the error to throw, so that n8n saves a failed execution and starts the error workflow. A throw
 * stores nothing, so the poll after it never throws: it reports the changes of both.
 *
 * The first poll throws when a person publishes the workflow, and sees it. At n8n's start a throw
 * would leave the workflow inactive, so the next poll throws what is still failing.
 */
export function errorToThrow(
	context: IPollFunctions,
	{ isFirst }: { isFirst: boolean },
	polled: PolledNode,
	failures: Failure[],
): NodeError | undefined {
	const { lastFailure } = polled;
	polled.lastFailure = failures.length > 0 ? 'logged' : undefined;
	if (failures.length === 0) return undefined;
	const error = combinedErrorOf(failures);
	const mode = context.getActivationMode();
	if (isFirst && mode === 'activate') {
		return Object.assign(error, { message: withHint(error) }); // n8n shows nothing else
	}
	context.logger.warn(`${context.getNode().name}: ${error.message}`);
	const mayThrow = isFirst
		? mode === 'update' && lastFailure === 'logged'
		: lastFailure !== 'thrown';
	if (!mayThrow) return undefined;
	polled.lastFailure = 'thrown';
	return error;
}

/** Returns the first failure's error, with the names of three sources that fail alike, and how many more. */
export function combinedErrorOf(failures: Failure[]): NodeError {
	const { error } = failures[0]!;
	const alike = failures.filter((failure) => failure.error.message === error.message);
	const names = alike.flatMap(({ source }) => source?.name ?? []);
	const { length } = names.splice(3);
	const more = length > 0 ? ` and ${length} more` : '';
	const nameList = names.length > 0 ? ` [${names.join(', ')}${more}]` : '';
	return Object.assign(error, { message: error.message + nameList });
}
