import { createHmac } from 'crypto';
import {
	NodeOperationError,
	sleep,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { connectTo, credentialType } from '../gateway/client';
import { asNodeError } from '../gateway/errors';
import type { Outcome } from '../gateway/outcome';
import { inProcess } from '../gateway/maps';
import { ownedBy } from '../gateway/node';
import { Abort } from '../gateway/pacing/time';
import { Limiter } from '../gateway/pacing/limiter';
import { withRetries } from '../gateway/pacing/retry';
import { events } from './events';
import {
	answerFailure,
	errorToReport,
	hasPolled,
	memoryOf,
	firstOf,
	requestFailure,
	type Failure,
	type ProcessMemory,
} from './failures';
import { readSettings } from './form';
import {
	logBaseline,
	noRoom,
	reserve,
	roomBeside,
	stateIn,
	withinLimit,
	type Compared,
} from './state';
import type { Poll, Source, StatusRecord } from './statusEvent';

/** If n8n does not say how long a poll may take. */
const defaultBudgetMs = 5 * 60 * 1000;
const maxTimeoutMs = 30_000;
const sampleTimeoutMs = 10_000;
const maxConcurrency = 10;
/** Per request: the next poll comes soon. */
const maxRetries = 2;

/**
 * One poll. n8n may start one before the last one has ended, and with the state of before: it is skipped,
 * unless the workflow was published again: then the last one is given up.
 *
 * @returns the changes, which start the workflow; null without any
 * @throws NodeApiError or NodeOperationError when a failure has to be reported. The state then stays
 * as it was, so the next poll finds the changes.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [[{ json: await fetchSample(context) }]];
	const data = context.getWorkflowStaticData('node');
	const memory = memoryOf(context);
	const { polling } = memory;
	// A context that polls again is only replaced by publishing. n8n before 2.41 would report from both.
	const isFree = !polling || (polling !== context && hasPolled(polling));
	if (!isFree || memory.hasReported(data)) return null;

	memory.polling = context;
	try {
		const { items, failures, store } = await findChanges(context, data, memory).catch((thrown) => {
			const error = asNodeError(context.getNode(), thrown);
			const failure: Failure = { kind: error.message, error, source: undefined };
			return { items: [], failures: [failure], store: undefined };
		});
		if (memory.polling !== context) return null;
		const error = errorToReport(context, memory, failures);
		if (error) throw error;
		if (items.length > 0) memory.noteReport(data);
		store?.();
		return items.length > 0 ? [items] : null;
	} finally {
		if (memory.polling === context) memory.polling = undefined;
	}
}

/** Reads all sources and compares them with the state. Only `store` updates it. */
async function findChanges(context: IPollFunctions, data: IDataObject, memory: ProcessMemory) {
	const poll = await openPoll(context);
	const { event, settings } = poll;
	const sources = event.sources(poll);
	const state = stateIn(data, poll);
	const { before } = state;
	const room = roomBeside(sources, before, reserve);
	const compared = new Map<string, Compared>();
	const failures: Failure[] = [];
	// Continue where the last poll ran out of time.
	const start = Math.max(
		0,
		sources.findIndex(({ key }) => key === memory.next),
	);
	const rotated = [...sources.slice(start), ...sources.slice(0, start)];
	const budgetMs = context.getPollBudgetMs?.() ?? defaultBudgetMs;
	const unread = await readSources(poll, rotated, budgetMs, async (source, outcome) => {
		const records = recordsIn(poll, source, outcome, compared.size > 0);
		if (!Array.isArray(records)) {
			failures.push(records);
			return records.source !== undefined;
		}
		await sleep(0); // n8n has one thread, and answers come in bursts
		const known = before?.get(source.key);
		const { kept, changes, isCutShort } = await event.compare(known, records, poll, room);
		// Made here, so that the answer can be freed.
		const items = changes.map((change) => ({ json: event.output(change, settings) }));
		compared.set(source.key, { kept, items, isCutShort });
		return true;
	});
	memory.next = unread?.key;

	const { after, items, tooMany } = withinLimit(sources, before, compared);
	failures.push(...tooMany.map((source) => answerFailure(poll.node, source, noRoom)));
	const store = () => {
		logBaseline(context, sources, before, after);
		state.store(after);
	};
	return { items, failures, store };
}

/** Remembers pauses of the service. By node, address and API key. */
const limiterOf = inProcess.each(1_000, () => new Limiter());

/**
 * Reads sources in order, several at a time, until the time is up or `take` returns false. No attempt
 * is cut off by the end of the poll, which would look like a fault of the service.
 *
 * @param budgetMs for all sources
 * @param take handles an outcome
 * @returns the first source that was not read
 */
export async function readSources(
	{ client, limiter }: Pick<Poll, 'client' | 'limiter'>,
	sources: Source[],
	budgetMs: number,
	take: (source: Source, outcome: Outcome) => Promise<boolean>,
): Promise<Source | undefined> {
	const timeoutMs = Math.min(maxTimeoutMs, Math.floor(budgetMs / 3));
	const abort = new Abort();
	const clock = AbortSignal.timeout(Math.floor(budgetMs) - timeoutMs);
	clock.onabort = () => abort.stop();

	const queue = sources.values();
	const unread = new Set(sources);
	const work = async () => {
		for (const source of queue) {
			const attempt = async () => client.shown(await client.attempt(source.request, timeoutMs));
			const outcome = await withRetries(attempt, { idempotent: true, maxRetries, limiter, abort });
			if (outcome) unread.delete(source);
			if (outcome && !(await take(source, outcome))) abort.stop();
			if (abort.isStopped) return;
		}
	};
	try {
		await Promise.all(Array.from({ length: Math.min(maxConcurrency, sources.length) }, work));
	} finally {
		abort.stop(); // after a throw, the others end too
		clock.onabort = null; // the clock outlives the poll and would keep all this in memory
	}
	return [...unread][0];
}

/**
 * For 'Fetch Test Event': one record as if it had just changed. The stored state is neither read nor
 * written.
 *
 * @throws NodeApiError or NodeOperationError when a request fails, or there is nothing to show
 */
async function fetchSample(context: IPollFunctions): Promise<IDataObject> {
	const poll = await openPoll(context);
	const { event, client, settings } = poll;
	for (const source of event.sources(poll)) {
		const outcome = client.shown(await client.attempt(source.request, sampleTimeoutMs));
		const records = recordsIn(poll, source, outcome);
		if (!Array.isArray(records)) throw firstOf([records]).error;
		const change = event.sample(records, poll);
		if (change) return event.output(change, settings);
	}
	throw poll.invalid(
		'There is nothing to show yet',
		'The service has no record that fits this event yet. You can publish the workflow all the same: it does not need a test event.',
	);
}

/** @throws NodeOperationError or UserError when a parameter or the credential cannot be used */
async function openPoll(context: IPollFunctions): Promise<Poll> {
	const node = context.getNode();
	const selected = context.getNodeParameter('event');
	const event = events.find(({ value }) => value === selected);
	if (!event) throw new NodeOperationError(node, "Choose an event in 'Trigger On'");
	const client = connectTo(context, await context.getCredentials(credentialType), String);
	const digestOf = (...parts: unknown[]): string =>
		createHmac('sha256', context.getInstanceId()).update(parts.join(' ')).digest('base64url');
	return {
		node,
		event,
		settings: readSettings(context),
		client,
		limiter: limiterOf(context.getWorkflow().id!, node.id, client.origin, client.apiKey),
		instance: digestOf(client.origin, client.chatAppName, client.instanceToken),
		account: digestOf(client.origin, node.credentials?.[credentialType]?.id),
		...ownedBy(node),
	};
}

/** The records in an outcome, or why there are none. */
export function recordsIn(
	poll: Poll,
	source: Source,
	outcome: Outcome,
	othersRead = false,
): StatusRecord[] | Failure {
	if (outcome.kind !== 'accepted') return requestFailure(poll, source, outcome, othersRead);
	const records = poll.event.records(outcome.body, source);
	return Array.isArray(records) ? records : answerFailure(poll.node, source, records);
}
