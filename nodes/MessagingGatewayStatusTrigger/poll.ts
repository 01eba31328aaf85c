import {
	NodeOperationError,
	type IPollFunctions,
	type INodeExecutionData,
	type IDataObject,
} from 'n8n-workflow';
import { createHmac } from 'crypto';

import { isOfInstance } from '../account/account';
import { credentialType } from '../account/credential';
import { asNodeError, ownerOfNode } from '../n8n/errors';
import { Abort } from '../pace/abort';
import { attemptsOf } from '../pace/attempts';
import { Limiter } from '../pace/limiter';
import { connectTo, type Client } from '../service/client';
import type { Outcome } from '../service/outcome';
import { campaignIdsField } from './events/campaigns';
import { isWanted } from './events/messageStatusChanged';
import { errorToThrow, combinedErrorOf, recordsIn, type Failure } from './failures';
import { events, readSettings } from './form';
import { polledNodes, readState, maxStoredLength, storeState, type PolledNode } from './state';
import type { SourceSnapshot, Poll, Source } from './statusEvent';

/** The time for a poll, where n8n does not set one. */
const defaultBudgetMs = 5 * 60 * 1000;
const maxTimeoutMs = 30_000;
const maxConcurrency = 10;
/** The number of retries of a request. It is low because the next poll comes soon. */
const maxRetries = 2;

/**
 * Polls once. n8n may start a poll before the last one has ended, and gives it the older state.
 *
 * @returns the changes, which start the workflow; null without any
 * @throws NodeApiError or NodeOperationError when a failure has to be reported. The state then stays
 * as it was, so the next poll finds the changes.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [[{ json: await fetchSample(context) }]];
	const data = context.getWorkflowStaticData('node');
	const polled = polledNodes(context.getWorkflow().id!, context.getNode().id);
	const current = polled.begin(context, data);
	if (!current) return null;
	try {
		const { items, failures, store } = await findChanges(context, data, polled).catch((thrown) => {
			const error = asNodeError(context.getNode(), thrown);
			return { items: [], failures: [{ error, source: undefined }], store: undefined };
		});
		if (polled.polling !== current) return null;
		const error = errorToThrow(context, current, polled, failures);
		if (error) throw error;
		if (items.length > 0) polled.noteReport(data);
		store?.();
		return items.length > 0 ? [items] : null;
	} finally {
		if (polled.polling === current) polled.polling = undefined;
	}
}

/** Reads all sources and compares them with the state. Only `store` updates it. */
async function findChanges(context: IPollFunctions, data: IDataObject, polled: PolledNode) {
	const poll = await openPoll(context);
	const { event, settings, client } = poll;
	const sources = event.sources(poll);
	const scope = scopeOf(context, poll, sources[0]!);
	const before = readState(data, scope);
	const after = new Map<string, SourceSnapshot>();
	for (const { key } of sources) {
		const kept = before?.get(key);
		if (kept) after.set(key, kept);
	}
	const items = new Map<string, INodeExecutionData[]>();
	const failures: Failure[] = [];
	const { firstSource } = polled;
	const rotated = [...sources.slice(firstSource), ...sources.slice(0, firstSource)];
	const budgetMs = context.getPollBudgetMs?.() ?? defaultBudgetMs;
	const unread = await readSources(client, rotated, budgetMs, async (source, outcome) => {
		const records = recordsIn(poll, source, outcome, items.size > 0);
		if (!Array.isArray(records)) {
			failures.push(records);
			return records.source !== undefined;
		}
		const { kept, changes } = await event.compare(before?.get(source.key), records, poll);
		// The output is made here, so that the answer can be freed.
		const found = changes.map((change) => ({ json: event.output(change, settings) }));
		items.set(source.key, found);
		after.set(source.key, kept);
		return true;
	});
	polled.firstSource = unread ? sources.indexOf(unread) : 0;
	if (JSON.stringify([...after]).length > maxStoredLength) {
		throw poll.invalid(
			'There are too many messages to watch',
			`Choose fewer campaigns in '${campaignIdsField.displayName}', or use several workflows. Until then, no change starts this workflow; all are reported once there is room.`,
		);
	}
	const store = () => storeState(data, scope, after);
	return { items: sources.flatMap(({ key }) => items.get(key) ?? []), failures, store };
}

/**
 * Returns a digest of the account, the event and the filter. The state is kept for these alone: all
 * records of another account would seem new.
 */
function scopeOf(
	context: IPollFunctions,
	{ node, event, settings: { statuses }, client: { origin, instanceToken } }: Poll,
	{ request: { path } }: Source,
): string {
	// Another API key of a credential may be the same account's.
	const owner = isOfInstance(path) ? instanceToken : node.credentials?.[credentialType]?.id;
	return createHmac('sha256', context.getInstanceId())
		.update(JSON.stringify([event.value, statuses, origin, path, owner]))
		.digest('base64url');
}

/**
 * Reads sources in order, several at a time, until the time is up or `take` returns false. No attempt
 * is cut off by the end of the poll, which would look like a fault of the service. What a poll is
 * refused delays no message: an account's polls have their own limiter.
 *
 * @returns the first source that was not read
 */
async function readSources(
	client: Client,
	sources: Source[],
	budgetMs: number,
	take: (source: Source, outcome: Outcome) => Promise<boolean>,
): Promise<Source | undefined> {
	const timeoutMs = Math.min(maxTimeoutMs, Math.floor(budgetMs / 3));
	const abort = new Abort();
	const clock = AbortSignal.timeout(Math.floor(budgetMs) - timeoutMs);
	clock.onabort = () => abort.stop();

	const limiter = Limiter.of(client, `polls${sources[0]!.request.path}`);
	const queue = sources.values();
	const unread = new Set(sources);
	const work = async () => {
		for (const source of queue) {
			let outcome: Outcome | undefined;
			for await (const attempt of attemptsOf({ idempotent: true, maxRetries, limiter, abort })) {
				outcome = attempt.end(client.shown(await client.attempt(source.request, timeoutMs)));
			}
			outcome ??= limiter.activeRefusal();
			if (!outcome) return; // the time is up
			unread.delete(source);
			if (!(await take(source, outcome))) abort.stop();
			if (abort.isStopped) return;
		}
	};
	await Promise.all(Array.from({ length: maxConcurrency }, work));
	clock.onabort = null; // the clock outlives the poll and would keep all this in memory
	return [...unread][0];
}

/** Fetches one record for 'Fetch Test Event', as if it had just changed, without the stored state. */
async function fetchSample(context: IPollFunctions): Promise<IDataObject> {
	const poll = await openPoll(context);
	const { event, client, settings } = poll;
	for (const source of event.sources(poll)) {
		const outcome = client.shown(await client.attempt(source.request, maxTimeoutMs));
		const records = recordsIn(poll, source, outcome);
		if (!Array.isArray(records)) throw combinedErrorOf([records]);
		const record = records.find(({ state }) => isWanted(state, settings));
		if (record) return event.output({ ...record, from: null }, settings);
	}
	throw poll.invalid(
		'There is nothing to show yet',
		"The service has no record that fits. Check 'Channel', and the campaigns and 'Statuses' if you set them. If they are right, publish the workflow: it does not need a test event.",
	);
}

async function openPoll(context: IPollFunctions): Promise<Poll> {
	const node = context.getNode();
	const selected = context.getNodeParameter('event');
	const event = events.find(({ value }) => value === selected);
	if (!event) throw new NodeOperationError(node, "Choose an event in 'Trigger On'");
	const client = connectTo(context, await context.getCredentials(credentialType), String);
	return { node, event, settings: readSettings(context), client, ...ownerOfNode(node) };
}
