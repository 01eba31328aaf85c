import { hash } from 'crypto';
import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { toNodeApiError, type NodeError } from '../gateway/errors';
import { situationOf } from '../gateway/judge/situation';
import { inProcess } from '../gateway/maps';
import type { NotAccepted } from '../gateway/outcome';
import { ownedBy, type Problem } from '../gateway/node';
import { inThree, withHint } from '../text/text';
import { ticks, Reports } from '../gateway/pacing/time';
import type { Poll, Source } from './statusEvent';

/** Why one source, or every source, could not be read or stored. */
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

/** The request was accepted, but the answer is incomplete, or too large to store. */
export function answerFailure(node: INode, source: Source, problem: Problem): Failure {
	const error = ownedBy(node).invalid(problem.message, problem.description);
	return { kind: `${problem.message} ${source.key}`, error, source };
}

/**
 * What this process remembers about a node besides its stored state; lost at a restart. Its times are
 * in ticks.
 */
export class ProcessMemory {
	/** The context of the poll under way. */
	polling?: IPollFunctions;
	/** The stored state that the last changes were found with. */
	private reported?: { state: string; until: number };
	/** Of failures, by kind. */
	readonly reports = new Reports();
	/** What the last poll did with its failures, if it had any. */
	lastFailure?: 'logged' | 'thrown';
	/** Key of the source that the next poll starts with, since the last one ran out of time. */
	next?: string;

	/** Notes that changes are reported which were found with this stored state. */
	noteReport(data: IDataObject): void {
		this.reported = { state: digestOf(data), until: ticks() + handedOnMs };
	}

	/** Whether a poll would report the same changes again, since it has the state of before. */
	hasReported(data: IDataObject): boolean {
		const { state, until = 0 } = this.reported ?? {};
		return ticks() < until && digestOf(data) === state;
	}
}

/** In ms: n8n's durable scheduler reads the state for a poll before it begins. */
const handedOnMs = 30_000;

const digestOf = (data: IDataObject): string => hash('sha256', JSON.stringify(data), 'base64');

/** By workflow and node. */
const memoryOfNode = inProcess.each(1_000, () => new ProcessMemory());

export const memoryOf = (context: IPollFunctions): ProcessMemory =>
	memoryOfNode(context.getWorkflow().id!, context.getNode().id);

/** Names of sources in a message; further ones are counted. */
const maxNames = 3;

/**
 * Contexts seen. n8n makes one per activation and polls with it once at activation. Its durable
 * scheduler makes one per poll, with the mode `update`.
 */
const contexts = inProcess.weakMap<IPollFunctions, true>();

/** Whether a poll with this context has ended. */
export const hasPolled = (context: IPollFunctions): boolean => contexts.has(context);

/**
 * What a poll has to throw, so that n8n saves a failed execution and starts the error workflow: each
 * kind of failure once, and again after an hour. A throw stores nothing, so the next poll never throws:
 * it reports the changes of both.
 *
 * The first poll throws when a person publishes the workflow, and sees it. At n8n's start a throw
 * would leave the workflow inactive, so the next poll reports what is still failing.
 */
export function errorToReport(
	context: IPollFunctions,
	memory: ProcessMemory,
	failures: Failure[],
): NodeError | undefined {
	const isFirst = !contexts.has(context);
	contexts.set(context, true);
	const { reports, lastFailure } = memory;
	memory.lastFailure = failures.length > 0 ? 'logged' : undefined;
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
	memory.lastFailure = 'thrown';
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
