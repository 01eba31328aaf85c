import type { IPollFunctions } from 'n8n-workflow';

import { toNodeApiError, type NodeError } from '../gateway/errors';
import { situationOf, type NotAccepted } from '../gateway/outcome';
import { inThree, withHint } from '../text/text';
import type { PolledNode } from './state';
import type { Poll, Source } from './statusEvent';

/** Why one source, or every source, could not be read. */
export interface Failure {
	/** Failures of one kind are reported together. */
	kind: string;
	error: NodeError;
	/** Undefined if every source fails like this, as far as is known: then the poll ends. */
	source: Source | undefined;
}

/** @param othersRead whether the service has answered for another source in this poll */
export function requestFailure(
	{ node, event, client }: Pick<Poll, 'node' | 'event' | 'client'>,
	source: Source,
	outcome: NotAccepted,
	othersRead: boolean,
): Failure {
	const error = toNodeApiError(node, client, outcome, {
		request: source.request,
		hints: { tooManyRequests: "Poll less often ('Poll Times').", ...event.hints },
		inPause: '. This node sends no requests until then.',
	});
	const { kind, status } = outcome.reason;
	const isOwn = isOfSource(outcome);
	return {
		kind: [kind, status, isOwn && source.key].filter(Boolean).join(' '),
		error,
		source: isOwn || (outcome.kind === 'unknown' && othersRead) ? source : undefined,
	};
}

const ofSource = ['campaignNotFound', 'notFound', 'rejected', 'unusable', 'validation'];

/** Whether only this source is refused. */
const isOfSource = (outcome: NotAccepted): boolean =>
	outcome.kind === 'refused' && ofSource.includes(situationOf(outcome));

/** The request was accepted, but the answer is incomplete. */
export const answerFailure = (source: Source, error: NodeError): Failure => ({
	kind: `${error.message} ${source.key}`,
	error,
	source,
});

/** Names of sources in a message; further ones are counted. */
const maxNames = 3;

/**
 * What a poll has to throw, so that n8n saves a failed execution and starts the error workflow: each
 * kind of failure once, and again after an hour. A throw stores nothing, so the next poll never throws:
 * it reports the changes of both.
 *
 * The first poll throws when a person publishes the workflow, and sees it. At n8n's start a throw
 * would leave the workflow inactive, so the next poll reports what is still failing.
 *
 * @param isFirst whether the poll is its context's first
 */
export function errorToReport(
	context: IPollFunctions,
	{ isFirst }: { isFirst: boolean },
	polled: PolledNode,
	failures: Failure[],
): NodeError | undefined {
	const { reports, lastFailure } = polled;
	polled.lastFailure = failures.length > 0 ? 'logged' : undefined;
	if (failures.length === 0) return undefined;
	const mode = context.getActivationMode();
	const isPublishing = isFirst && mode === 'activate';
	const due = failures.filter(({ kind }) => isPublishing || reports.isDue(kind));
	const { error, alike } = firstOf(due.length > 0 ? due : failures);
	if (isPublishing) return Object.assign(error, { message: withHint(error) }); // n8n shows nothing else

	const log = due.length > 0 ? 'warn' : 'debug';
	context.logger[log](`${context.getNode().name}: ${error.message}`);
	const mayThrow = isFirst
		? mode === 'update' && lastFailure === 'logged'
		: lastFailure !== 'thrown';
	if (due.length === 0 || !mayThrow) return undefined;
	polled.lastFailure = 'thrown';
	alike.forEach(({ kind }) => reports.note(kind));
	const outlook = 'The node keeps polling, and shows this again after an hour if it lasts.';
	return Object.assign(error, { description: inThree(error.description, outlook) });
}

/** The first failure's error, with the names of all sources that fail alike. */
export function firstOf(failures: Failure[]): { error: NodeError; alike: Failure[] } {
	const { error } = failures[0]!;
	const alike = failures.filter((failure) => failure.error.message === error.message);
	const names = alike.flatMap(({ source }) => source?.name ?? []);
	const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
	const about = names.length > 0 ? ` [${names.slice(0, maxNames).join(', ')}${more}]` : '';
	return { error: Object.assign(error, { message: error.message + about }), alike };
}
