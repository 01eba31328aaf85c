import type { IPollFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Failure } from '../failures';
import type { NodeMemory } from './nodeMemory';

/** What ended and comes back is not said again before this time is over, in ms. */
const quietMs = 60 * 60 * 1000;

/** Looks in a row that return changes instead of saying what went wrong. */
const mostPutOff = 3;

/** More are counted. */
const mostNames = 3;

/**
 * n8n makes a context for an activation, and looks with it once before it sets the clock. Its durable
 * scheduler makes one for each look, and says `update` of it.
 */
const contexts = new WeakSet<IPollFunctions>();

/**
 * What a look has to throw, which n8n saves as a failed execution and starts the error workflow
 * with: each kind of failure once, as long as it lasts.
 *
 * The look that n8n makes while it activates a workflow throws where a person publishes it and is
 * there to read. At n8n's start a throw would leave the workflow inactive: what is still wrong at the
 * next look is said then.
 *
 * @param hasChanges they would be held back: they go first, for a few looks
 */
export function toSay(
	context: IPollFunctions,
	memory: NodeMemory,
	failures: Failure[],
	hasChanges: boolean,
): NodeApiError | NodeOperationError | undefined {
	const isFirst = !contexts.has(context);
	contexts.add(context);
	const { said, failing } = memory;
	memory.failing = new Set(failures.map(({ kind }) => kind));
	const now = Date.now();
	for (const [kind, last] of said) {
		last.hasEnded ||= !memory.failing.has(kind);
		if (last.hasEnded && Math.abs(now - last.at) > quietMs) said.delete(kind); // clocks go back
	}

	const [worst] = failures;
	if (!worst) return undefined;
	const mode = context.getActivationMode();
	if (isFirst && mode === 'activate') return named([worst]);

	const news = failures.filter(({ kind }) => !said.has(kind));
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
	same.forEach(({ kind }) => said.set(kind, { at: now, hasEnded: false }));
	const error = named(same);
	error.description = [error.description, goesOn].filter(Boolean).join(' ');
	return error;
}

const goesOn = 'This node goes on looking, tells afterwards what has changed, and says this once.';

/** The first one's error, with the names of all that it is about. */
function named(failures: Failure[]): NodeApiError | NodeOperationError {
	const { error } = failures[0]!;
	const names = failures.flatMap(({ source }) => (source ? [source.name] : []));
	if (names.length === 0) return error;
	const more = names.length - mostNames;
	const list = names.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
	error.message = `${error.message} [${list}]`;
	return error;
}
