import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { isObject } from '../gateway/answerBody';
import type { Lack, Memory, Poll, Source } from './statusEvent';

/** Characters of JSON that n8n is given to store. A message takes 12, its campaign some 150. */
export const mostCharacters = 2_000_000;

/** What n8n keeps of a node, in its static data. */
interface State {
	v: 1;
	/** What the memories are of: another event, channel or filter begins anew. */
	scope: string;
	memories: Record<string, Memory>;
}

/** By the key of their source. */
type Memories = Map<string, Memory>;

/** A source that was read. */
export interface Compared {
	memory: Memory | undefined;
	items: INodeExecutionData[];
}

function scopeOf({ event, settings: { channel, statuses } }: Poll): string {
	const hasChannel = event.fields.some(({ name }) => name === 'channel');
	return JSON.stringify([
		event.value,
		...(hasChannel ? [channel] : []),
		...(event.options ? [statuses] : []),
	]);
}

/** The memories of the last poll; undefined where there was none, or they are lost. */
export function readState(data: IDataObject, poll: Poll): Memories | undefined {
	const { v, scope, memories } = (data.state ?? {}) as Partial<State>;
	const isUsable = v === 1 && scope === scopeOf(poll) && isObject(memories);
	return isUsable ? new Map(Object.entries(memories)) : undefined;
}

export function writeState(data: IDataObject, poll: Poll, memories: Memories): void {
	const state: State = { v: 1, scope: scopeOf(poll), memories: Object.fromEntries(memories) };
	data.state = state as unknown as IDataObject;
}

/** What was read, in the order of the sources; where there is no room, what was known of it stays. */
export function whatFits(
	sources: Source[],
	before: Memories | undefined,
	compared: Map<string, Compared>,
): { after: Memories; items: INodeExecutionData[]; tooMany: Source[] } {
	const after: Memories = new Map();
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

const sizeOf = (memory: Memory | undefined): number =>
	memory === undefined ? 0 : JSON.stringify(memory).length;

export const noRoom: Lack = {
	message: 'There are too many messages to watch',
	description: `Remove finished campaigns, or spread them over several workflows. One trigger can store ${mostCharacters / 1_000_000} MB, more than 100,000 messages. It no longer watches the campaigns named above, only the others.`,
};

/** What is seen for the first time starts nothing: that must not look like a trigger that is broken. */
export function tellOfBaseline(
	context: IPollFunctions,
	sources: Source[],
	before: Memories | undefined,
	after: Memories,
): void {
	const isNew = ({ key }: Source) => after.has(key) && !before?.has(key);
	const names = sources.filter(isNew).map(({ name }) => name);
	if (names.length === 0) return;
	const isLost = !before && ['init', 'leadershipChange'].includes(context.getActivationMode());
	const report = `${context.getNode().name}: ${isLost ? 'the state of earlier polls is lost' : 'first poll'}, changes count from now on: ${names.join(', ')}`;
	context.logger[isLost ? 'warn' : 'info'](report);
}
