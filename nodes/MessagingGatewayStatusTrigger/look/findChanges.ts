import { sleep } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Memory, Source } from '../statusEvent';
import { notAccepted, tooLarge, unforeseen, type Failure } from '../failures';
import type { NodeMemory } from './nodeMemory';
import { openLook, type OpenLook } from './open';
import { notePause, refusalInPause } from './pause';
import { readSources } from '../read';
import { isFailure, recordsIn } from './records';
import { keep, mostCharacters, recall, scopeOf, sizeOf } from '../state';

/** What one look has found. */
export interface Finding {
	items: INodeExecutionData[];
	failures: Failure[];
	/** Moves the state on. */
	keep(): void;
}

/** A source that was read. */
interface Compared {
	memory: Memory | undefined;
	items: INodeExecutionData[];
}

/** Where n8n does not say how long a look may take. */
const usualBudgetMs = 5 * 60 * 1000;

/** Reads all sources and compares them with the state. Never throws, and changes no state. */
export async function findChanges(
	context: IPollFunctions,
	data: IDataObject,
	memory: NodeMemory,
): Promise<Finding> {
	const node = context.getNode();
	try {
		const open = await openLook(context);
		const refusal = refusalInPause(memory, open.look.account);
		if (refusal) return failed(notAccepted(node, open, open.sources[0]!, refusal));
		const scope = scopeOf(open.event, open.look.settings);
		const before = recall(data, scope);
		const { compared, failures } = await compareAll(context, open, memory, before);
		const { after, items, tooMany } = takeWhatFits(open.sources, before, compared);
		failures.push(...tooMany.map((source) => tooLarge(node, source, mostCharacters)));
		return {
			items,
			failures,
			keep() {
				tellOfBaseline(context, before, open.sources, after);
				keep(data, scope, after);
			},
		};
	} catch (error) {
		return failed(unforeseen(node, error));
	}
}

const failed = (failure: Failure): Finding => ({ items: [], failures: [failure], keep: () => {} });

async function compareAll(
	context: IPollFunctions,
	open: OpenLook,
	memory: NodeMemory,
	before: Map<string, Memory> | undefined,
) {
	const { event, look, sources } = open;
	const compared = new Map<string, Compared>();
	const failures: Failure[] = [];

	// A look that ran out of time is continued by the next one.
	const start = sources.findIndex(({ key }) => key === memory.next);
	const inTurn = start > 0 ? [...sources.slice(start), ...sources.slice(0, start)] : sources;
	const unread = new Set(inTurn);
	const budgetMs = context.getPollBudgetMs?.() ?? usualBudgetMs;
	await readSources(look.client, inTurn, budgetMs, async (source, outcome) => {
		unread.delete(source);
		const records = recordsIn(context.getNode(), open, source, outcome);
		if (isFailure(records)) {
			failures.push(records);
			notePause(memory, look.account, outcome);
			return records.source !== undefined;
		}
		await sleep(0); // answers come together, and n8n has one thread
		const { memory: kept, changes } = await event.compare(before?.get(source.key), records, look);
		// Made at once, so that the answer need not stay.
		const items = changes.map((change) => ({ json: event.output(change, look.settings) }));
		compared.set(source.key, { memory: kept, items });
		return true;
	});
	memory.next = unread.values().next().value?.key;
	return { compared, failures };
}

/** What was read, in the order of the sources; where there is no room, what was known of it stays. */
function takeWhatFits(
	sources: Source[],
	before: Map<string, Memory> | undefined,
	compared: Map<string, Compared>,
) {
	const after = new Map<string, Memory>();
	const items: INodeExecutionData[] = [];
	const tooMany: Source[] = [];
	const known = sources.map(({ key }) => sizeOf(before?.get(key)));
	let room = mostCharacters - known.reduce((sum, size) => sum + size, 0);
	for (const [index, source] of sources.entries()) {
		const { key } = source;
		const { memory = before?.get(key), items: found = [] } = compared.get(key) ?? {};
		const growth = sizeOf(memory) - known[index]!;
		const fits = growth <= Math.max(0, room);
		if (fits) {
			room -= growth;
			items.push(...found);
		} else tooMany.push(source);
		const kept = fits ? memory : before?.get(key);
		if (kept !== undefined) after.set(key, kept);
	}
	return { after, items, tooMany };
}

/** What is seen for the first time starts nothing: that must not look like a trigger that is broken. */
function tellOfBaseline(
	context: IPollFunctions,
	before: Map<string, Memory> | undefined,
	sources: Source[],
	after: Map<string, Memory>,
): void {
	const isNew = ({ key }: Source) => after.has(key) && !before?.has(key);
	const names = sources.filter(isNew).map(({ name }) => name);
	if (names.length === 0) return;
	const isLost = !before && ['init', 'leadershipChange'].includes(context.getActivationMode());
	const said = `${context.getNode().name}: ${isLost ? 'lost what it had seen' : 'first look'}, changes count from now on: ${names.join(', ')}`;
	context.logger[isLost ? 'warn' : 'info'](said);
}
