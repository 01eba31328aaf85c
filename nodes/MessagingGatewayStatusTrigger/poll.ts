import { createHmac } from 'crypto';
import { NodeOperationError, sleep } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { accountOf } from '../gateway/account';
import { connectTo, credentialType, type Client } from '../gateway/client';
import { rememberBy } from '../gateway/memory';
import type { Outcome } from '../gateway/outcome';
import { ownedBy } from '../gateway/owner';
import { Abort } from '../gateway/pacing/abort';
import { Limiter } from '../gateway/pacing/limiter';
import { withRetries } from '../gateway/pacing/retry';
import { events } from './events';
import {
	lacking,
	memoryOf,
	notAccepted,
	notePause,
	otherFailure,
	refusalInPause,
	toReport,
	type Failure,
	type NodeMemory,
} from './failures';
import { readSettings } from './form';
import { noRoom, readState, tellOfBaseline, whatFits, writeState, type Compared } from './state';
import type { Poll, Source, StatusRecord } from './statusEvent';

/** Where n8n does not say how long a poll may take. */
const usualBudgetMs = 5 * 60 * 1000;

const sampleTimeoutMs = 10_000;

/** Requests under way at a time. */
const maxConcurrency = 10;

/** Of one request: the next poll comes soon. */
const maxRetries = 2;

const longestTimeoutMs = 30_000;

/** States that a poll works on. n8n does not wait for a poll before it begins the next. */
const underWay = rememberBy<object, true>();

/** What one poll has found. */
interface Changes {
	items: INodeExecutionData[];
	failures: Failure[];
	/** Moves the state on. */
	store(): void;
}

/**
 * One poll. Its changes start the workflow; without any, there is nothing to start.
 *
 * @throws NodeApiError or NodeOperationError when something that went wrong is to be reported. Then the
 * state is as it was: what has changed is found by the next poll. What can wait lets changes go first.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [[{ json: await fetchSample(context) }]];
	const data = context.getWorkflowStaticData('node');
	if (underWay.has(data)) return null;

	const node = context.getNode();
	const memory = memoryOf(context);
	underWay.set(data, true);
	try {
		const { items, failures, store } = await findChanges(context, data, memory).catch(
			(error): Changes => ({ items: [], failures: [otherFailure(node, error)], store() {} }),
		);
		const error = toReport(context, memory, failures, items.length > 0);
		if (error) throw error;
		store();
		return items.length > 0 ? [items] : null;
	} finally {
		underWay.delete(data);
	}
}

/** Reads all sources and compares them with the state, which stays as it is. */
async function findChanges(
	context: IPollFunctions,
	data: IDataObject,
	memory: NodeMemory,
): Promise<Changes> {
	const poll = await openPoll(context);
	const { event, settings, client, accountDigest } = poll;
	const sources = event.sources(poll);
	const refusal = refusalInPause(memory, accountDigest);
	if (refusal) {
		return { items: [], failures: [notAccepted(poll, sources[0]!, refusal)], store() {} };
	}

	const before = readState(data, poll);
	const compared = new Map<string, Compared>();
	const failures: Failure[] = [];
	// A poll that ran out of time is continued by the next one.
	const start = sources.findIndex(({ key }) => key === memory.next);
	const inTurn = start > 0 ? [...sources.slice(start), ...sources.slice(0, start)] : sources;
	const budgetMs = context.getPollBudgetMs?.() ?? usualBudgetMs;
	const unread = await readSources(client, inTurn, budgetMs, async (source, outcome) => {
		const records = recordsIn(poll, source, outcome);
		if (!Array.isArray(records)) {
			failures.push(records);
			notePause(memory, accountDigest, outcome);
			return records.source !== undefined;
		}
		await sleep(0); // answers come together, and n8n has one thread
		const { memory: kept, changes } = await event.compare(before?.get(source.key), records, poll);
		// Made at once, so that the answer need not stay.
		const items = changes.map((change) => ({ json: event.output(change, settings) }));
		compared.set(source.key, { memory: kept, items });
		return true;
	});
	memory.next = unread?.key;

	const { after, items, tooMany } = whatFits(sources, before, compared);
	failures.push(...tooMany.map((source) => lacking(poll, source, noRoom)));
	const store = () => {
		tellOfBaseline(context, sources, before, after);
		writeState(data, poll, after);
	};
	return { items, failures, store };
}

/**
 * Reads sources, some at a time, in the order given. Ends early when the time is up or nothing more
 * is to be read. Each attempt has its time: none is cut off by the end of the poll, which would look
 * like a fault of the service.
 *
 * @param take resolves when the answer is dealt with; gives false where nothing more is to be read
 * @param budgetMs for all of them
 * @returns the first one that it did not get to
 */
export async function readSources(
	client: Client,
	sources: Source[],
	budgetMs: number,
	take: (source: Source, outcome: Outcome) => Promise<boolean>,
): Promise<Source | undefined> {
	const timeoutMs = Math.min(longestTimeoutMs, Math.floor(budgetMs / 3));
	const abort = new Abort();
	const limiter = new Limiter();
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
		await Promise.all(Array.from({ length: maxConcurrency }, work));
	} finally {
		abort.stop(); // also after a throw, which the others know nothing of
		clock.onabort = null; // it lasts longer, and would keep all of this
	}
	const [next] = unread;
	return next;
}

/**
 * What 'Fetch Test Event' shows: one record as if it had just changed. The state of the published
 * workflow is neither read nor written.
 *
 * @throws NodeApiError or NodeOperationError when the service does not tell, or has nothing to show
 */
async function fetchSample(context: IPollFunctions): Promise<IDataObject> {
	const poll = await openPoll(context);
	const { event, client, settings } = poll;
	for (const source of event.sources(poll)) {
		const outcome = client.shown(await client.attempt(source.request, sampleTimeoutMs));
		const records = recordsIn(poll, source, outcome);
		if (!Array.isArray(records)) throw records.error;
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
	const credential = await context.getCredentials(credentialType);
	const client = connectTo(context, credential, String);
	const digest = (...words: unknown[]) =>
		createHmac('sha256', context.getInstanceId())
			.update([client.origin, ...words.map((word) => String(word).trim())].join(' '))
			.digest('base64url');
	const owner = ownedBy(node);
	return {
		node,
		event,
		settings: readSettings(context),
		client,
		accountDigest: digest(credential.apiKey),
		instanceDigest: digest(client.names.chatAppName, credential.instanceToken),
		...owner,
		...accountOf(owner, client),
	};
}

/** What came of reading a source. */
export function recordsIn(poll: Poll, source: Source, outcome: Outcome): StatusRecord[] | Failure {
	const { event } = poll;
	const isAccepted = outcome.kind === 'accepted';
	const body = isAccepted ? outcome.body : event.refusalAsAnswer?.(outcome.reason);
	if (!isAccepted && !body) return notAccepted(poll, source, outcome);
	const records = event.records(body, source);
	return Array.isArray(records) ? records : lacking(poll, source, records);
}
