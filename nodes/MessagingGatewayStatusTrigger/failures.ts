import { NodeOperationError } from 'n8n-workflow';
import type { INode, IPollFunctions } from 'n8n-workflow';

import { isDisconnected } from '../gateway/endpoints/instance';
import { asNodeError, toNodeApiError, type Advice, type NodeError } from '../gateway/errors';
import { isNotAuthorized } from '../gateway/judge/situation';
import { remember, rememberBy } from '../gateway/memory';
import type { NotAccepted, Outcome } from '../gateway/outcome';
import type { Lack, Poll, Source, StatusEvent } from './statusEvent';

/** Why a source, or all of them, could not be read or kept. */
export interface Failure {
	/** What is reported once: failures of a kind are one. */
	kind: string;
	error: NodeError;
	/** The source that it is about; absent where the others fail likewise. */
	source?: Source;
}

type Refused = Extract<Outcome, { kind: 'refused' }>;

export function notAccepted(
	{ node, event, client }: Pick<Poll, 'node' | 'event' | 'client'>,
	source: Source,
	outcome: NotAccepted,
): Failure {
	const error = toNodeApiError(node, client, outcome, {
		request: source.request,
		advice: adviceFor(event),
		inPause: '. This node sends no requests until then.',
	});
	const { kind, status } = outcome.reason;
	const isOwn = isOfSource(outcome);
	return {
		kind: [kind, status, isOwn && source.key].filter(Boolean).join(' '),
		error,
		...(isOwn && { source }),
	};
}

/** What an event's fields can do about a request that was not accepted, or else 'Poll Times'. */
export const adviceFor = ({ advice }: Pick<StatusEvent, 'advice'>): Advice => ({
	tooManyRequests: "Poll less often ('Poll Times').",
	...advice,
});

/** Whether the others can be read all the same. */
const isOfSource = ({ kind, reason }: NotAccepted): boolean =>
	kind === 'refused' &&
	['rejected', 'validation'].includes(reason.kind) &&
	!isNotAuthorized(reason) &&
	!isDisconnected(reason);

/** An answer that says yes, but not what was asked, or more than can be kept. */
export function lacking(
	{ node }: Pick<Poll, 'node'>,
	source: Source,
	{ message, description }: Lack,
): Failure {
	const error = new NodeOperationError(node, message, { description });
	return { kind: `${message} ${source.key}`, error, source };
}

/** Whatever goes wrong besides: a parameter, the credential. */
export function otherFailure(node: INode, error: unknown): Failure {
	const shown = asNodeError(node, error);
	return { kind: shown.message, error: shown };
}

/** What this process remembers of a node besides its state. After a restart it begins anew. */
export interface NodeMemory {
	/** By the kind of failure: when it was reported last, in ms since 1970, and whether it ended since. */
	reported: Map<string, { at: number; hasEnded: boolean }>;
	/** Kinds of the last poll. */
	failing: Set<string>;
	/** Polls that had something to report and returned changes instead, since the last that did. */
	putOff: number;
	pause?: Pause;
	/** Key of the source that the next poll begins with: the last one did not get to it. */
	next?: string;
}

/** The service wants to be left alone by an account. */
interface Pause {
	account: string;
	/** In ms since 1970. */
	until: number;
	/** In which words it asked for it. */
	refusal: Refused;
}

/** By workflow and node: the latest 1,000. */
const memories = remember<NodeMemory>(1_000);

export function memoryOf(context: IPollFunctions): NodeMemory {
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(name) ?? { reported: new Map(), failing: new Set(), putOff: 0 };
	memories.set(name, memory);
	return memory;
}

/** A longer pause of the service is not believed, in ms. */
const longestBelievedMs = 24 * 60 * 60 * 1000;

/** Keeps what an answer asks for; of answers that come together, the longest pause counts. */
export function notePause(memory: NodeMemory, account: string, outcome: Outcome): void {
	if (outcome.kind !== 'refused' || outcome.retryAfterMs === undefined) return;
	const until = Date.now() + Math.min(outcome.retryAfterMs, longestBelievedMs);
	const { pause } = memory;
	if (pause?.account === account && pause.until >= until) return;
	memory.pause = { account, until, refusal: outcome };
}

/** What the service would answer now, without asking it; undefined where it may be asked. */
export function refusalInPause({ pause }: NodeMemory, account: string): Refused | undefined {
	if (pause?.account !== account) return undefined;
	const retryAfterMs = pause.until - Date.now();
	// A longer one was noted by a clock that was ahead.
	const holds = retryAfterMs > 0 && retryAfterMs <= longestBelievedMs;
	return holds ? { ...pause.refusal, retryAfterMs } : undefined;
}

/** What ended and comes back is not reported again before this time is over, in ms. */
const quietMs = 60 * 60 * 1000;

/** Polls in a row that return changes instead of reporting what went wrong. */
const mostPutOff = 3;

/** More are counted. */
const mostNames = 3;

/**
 * n8n makes a context for an activation, and polls with it once before it sets the clock. Its durable
 * scheduler makes one for each poll, and says `update` of it.
 */
const contexts = rememberBy<IPollFunctions, true>();

/**
 * What a poll has to throw, which n8n saves as a failed execution and starts the error workflow
 * with: each kind of failure once, as long as it lasts.
 *
 * The poll that n8n makes while it activates a workflow throws where a person publishes it and is
 * there to read. At n8n's start a throw would leave the workflow inactive: what is still wrong at the
 * next poll is reported then.
 *
 * @param hasChanges they would be held back: they go first, for a few polls
 */
export function toReport(
	context: IPollFunctions,
	memory: NodeMemory,
	failures: Failure[],
	hasChanges: boolean,
): NodeError | undefined {
	const isFirst = !contexts.has(context);
	contexts.set(context, true);
	const { reported, failing } = memory;
	memory.failing = new Set(failures.map(({ kind }) => kind));
	const now = Date.now();
	for (const [kind, last] of reported) {
		last.hasEnded ||= !memory.failing.has(kind);
		if (last.hasEnded && Math.abs(now - last.at) > quietMs) reported.delete(kind); // clocks go back
	}

	const [worst] = failures;
	if (!worst) return undefined;
	const mode = context.getActivationMode();
	if (isFirst && mode === 'activate') return named([worst]);

	const news = failures.filter(({ kind }) => !reported.has(kind));
	const due = news.filter(({ kind }) => !isFirst || (mode === 'update' && failing.has(kind)));
	const log = news.length > 0 ? 'warn' : 'debug';
	context.logger[log](`${context.getNode().name}: ${(news[0] ?? worst).error.message}`);
	const [first] = due;
	if (!first) return undefined;
	if (hasChanges && memory.putOff < mostPutOff) {
		memory.putOff++;
		return undefined;
	}
	memory.putOff = 0;
	const same = due.filter(({ error }) => error.message === first.error.message);
	same.forEach(({ kind }) => reported.set(kind, { at: now, hasEnded: false }));
	return named(
		same,
		'The node keeps polling and reports changes as soon as it can. This message appears only once.',
	);
}

/** The first one's error, with the names of all that it is about, and what becomes of the node. */
function named(failures: Failure[], goesOn?: string): NodeError {
	const { error } = failures[0]!;
	const names = failures.flatMap(({ source }) => source?.name ?? []);
	const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
	const about = names.length > 0 ? ` [${names.slice(0, mostNames).join(', ')}${more}]` : '';
	return Object.assign(error, {
		message: error.message + about,
		description: [error.description, goesOn].filter(Boolean).join(' ') || error.description,
	});
}
