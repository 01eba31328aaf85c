import { createHash } from 'crypto';
import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { isDisconnected } from '../gateway/endpoints/instance';
import { toNodeApiError, type NodeError } from '../gateway/errors';
import { isNotAuthorized } from '../gateway/judge/situation';
import { inProcess } from '../gateway/inProcess';
import type { NotAccepted, Outcome, Refused } from '../gateway/outcome';
import { ownedBy, type Problem } from '../gateway/node';
import { ticks, Reports } from '../gateway/pacing/time';
import { dayMs } from './histories';
import type { Poll, Source } from './statusEvent';

/** Why one source, or every source, could not be read or stored. */
export interface Failure {
	/** Failures of one kind are reported together. */
	kind: string;
	error: NodeError;
	/** Undefined if every source fails like this. */
	source: Source | undefined;
}

export function requestFailure(
	{ node, event, client }: Pick<Poll, 'node' | 'event' | 'client'>,
	source: Source,
	outcome: NotAccepted,
): Failure {
	const error = toNodeApiError(node, client, outcome, {
		request: source.request,
		advice: { tooManyRequests: "Poll less often ('Poll Times').", ...event.advice },
		inPause: '. This node sends no requests until then.',
	});
	const { kind, status } = outcome.reason;
	const own = isOfSource(outcome) ? source : undefined;
	return { kind: [kind, status, own?.key].filter(Boolean).join(' '), error, source: own };
}

/** Whether only this source is affected. */
const isOfSource = ({ kind, reason }: NotAccepted): boolean =>
	kind === 'refused' &&
	['rejected', 'validation'].includes(reason.kind) &&
	!isNotAuthorized(reason) &&
	!isDisconnected(reason);

/** The request was accepted, but the answer is incomplete, or too large to store. */
export function answerFailure(node: INode, source: Source, problem: Problem): Failure {
	const error = ownedBy(node).invalid(problem.message, problem.description);
	return { kind: `${problem.message} ${source.key}`, error, source };
}

/**
 * What this process remembers about a node besides its stored state; lost at a restart. Its times are
 * in ticks.
 */
class ProcessMemory {
	/** Whether a poll is under way. */
	isPolling = false;
	/** The stored state that the last changes were found with. */
	private reported?: { state: string; until: number };
	/** Of failures, by kind. */
	readonly reports = new Reports();
	/** Kinds of failure in the last poll. */
	failing = new Set<string>();
	/** What the last poll did with a report that was due. */
	due?: 'putOff' | 'thrown';
	/** Key of the source that the next poll starts with, since the last one ran out of time. */
	next?: string;
	/** What the service has asked an account for. */
	private pause?: { account: string; until: number; refusal: Refused };

	/** Notes that changes are reported which were found with this stored state. */
	noteReport(data: IDataObject): void {
		this.reported = { state: digestOf(data), until: ticks() + handedOnMs };
	}

	/** Whether a poll would report the same changes again, since it has the state of before. */
	hasReported(data: IDataObject): boolean {
		const { state, until = 0 } = this.reported ?? {};
		return ticks() < until && digestOf(data) === state;
	}

	/** Notes a pause that an answer asks for, of a day at most. The longest one counts. */
	notePause(account: string, outcome: Outcome): void {
		if (outcome.kind !== 'refused' || outcome.retryAfterMs === undefined) return;
		const until = ticks() + Math.min(outcome.retryAfterMs, dayMs);
		if (this.pause?.account === account && this.pause.until >= until) return;
		this.pause = { account, until, refusal: outcome };
	}

	/** The refusal to expect during a pause, without a request; undefined if there is no pause. */
	refusalInPause(account: string): Refused | undefined {
		if (this.pause?.account !== account) return undefined;
		const retryAfterMs = this.pause.until - ticks();
		return retryAfterMs > 0 ? { ...this.pause.refusal, retryAfterMs } : undefined;
	}
}

/** In ms: n8n's durable scheduler reads the state for a poll before it begins. */
const handedOnMs = 30_000;

const digestOf = (data: IDataObject): string =>
	createHash('sha256').update(JSON.stringify(data)).digest('base64');

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

/**
 * What a poll has to throw, so that n8n saves a failed execution and starts the error workflow: each
 * kind of failure once an hour, as long as it lasts.
 *
 * The first poll throws when a person publishes the workflow, and sees it. At n8n's start a throw
 * would leave the workflow inactive, so the next poll reports what is still failing.
 *
 * A throw stores nothing, so two polls in a row never throw.
 *
 * @param hasChanges a throw would hold them back, so they go first, for one poll
 */
export function errorToReport(
	context: IPollFunctions,
	failures: Failure[],
	hasChanges: boolean,
): NodeError | undefined {
	const isFirst = !contexts.has(context);
	contexts.set(context, true);
	const memory = memoryOf(context);
	const { reports, failing, due: before } = memory;
	memory.failing = new Set(failures.map(({ kind }) => kind));
	memory.due = undefined;
	const [worst] = failures;
	if (!worst) return undefined;
	const mode = context.getActivationMode();
	if (isFirst && mode === 'activate') return withNames([worst]);

	const news = failures.filter(({ kind }) => reports.isDue(kind));
	const due = news.filter(({ kind }) => !isFirst || (mode === 'update' && failing.has(kind)));
	const log = news.length > 0 ? 'warn' : 'debug';
	context.logger[log](`${context.getNode().name}: ${(news[0] ?? worst).error.message}`);
	const [first] = due;
	if (!first) return undefined;
	const isPutOff = before === 'thrown' || (hasChanges && before !== 'putOff');
	memory.due = isPutOff ? 'putOff' : 'thrown';
	if (isPutOff) return undefined;
	const same = due.filter(({ error }) => error.message === first.error.message);
	same.forEach(({ kind }) => reports.note(kind));
	return withNames(
		same,
		'The node keeps polling and reports changes as soon as it can. While this lasts, this message appears once an hour.',
	);
}

/** The first failure's error, with the names of all sources affected, and what the node does next. */
function withNames(failures: Failure[], outlook?: string): NodeError {
	const { error } = failures[0]!;
	const names = failures.flatMap(({ source }) => source?.name ?? []);
	const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
	const about = names.length > 0 ? ` [${names.slice(0, maxNames).join(', ')}${more}]` : '';
	return Object.assign(error, {
		message: error.message + about,
		description: [error.description, outlook].filter(Boolean).join(' ') || error.description,
	});
}
