import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { isObject } from '../gateway/outcome';
import type { Problem } from '../gateway/node';
import type { Comparison, Kept, Poll, Room, Source } from './statusEvent';

/** Characters of JSON stored for a node. A message takes 12, its campaign about 150. */
export const maxCharacters = 2_000_000;

/** What n8n stores for a node, in its static data. The format never changes. */
interface State {
	v: 1;
	/** The event, channel and filter: with others, the state starts afresh. */
	scope: string;
	/** Digest of whose campaigns these are: all of another account's would be new. */
	account?: string;
	kept: Record<string, Kept>;
}

type BySource = Map<string, Kept>;

export type Compared = Omit<Comparison, 'changes'> & { items: INodeExecutionData[] };

/** What is kept of each source between two polls, in n8n's static data for the node. */
export function stateIn(data: IDataObject, poll: Poll) {
	const { event, settings } = poll;
	const { channel, statuses } = settings;
	const hasChannel = event.fields.some(({ name }) => name === 'channel');
	const scope = JSON.stringify([
		event.value,
		...(hasChannel ? [channel] : []),
		...(event.options ? [statuses] : []),
	]);
	const whose = channel === 'chatApp' ? poll.instance : poll.account;
	const account = hasChannel ? whose : undefined;
	const { kept, ...stored } = (data.state ?? {}) as Partial<State>;
	const isSame = stored.scope === scope && stored.account === account;
	const isUsable = stored.v === 1 && isSame && isObject(kept);
	return {
		/** Undefined if there has been no poll, or its state got lost. */
		before: isUsable ? new Map(Object.entries(kept)) : undefined,

		store(after: BySource): void {
			data.state = { v: 1, scope, account, kept: Object.fromEntries(after) };
		},
	};
}

/** What to store and output, in the order of the sources. One that has no room keeps its old state. */
export function withinLimit(
	sources: Source[],
	before: BySource | undefined,
	compared: Map<string, Compared>,
): { after: BySource; items: INodeExecutionData[]; tooMany: Source[] } {
	const after: BySource = new Map();
	const items: INodeExecutionData[][] = [];
	const tooMany: Source[] = [];
	const room = roomBeside(sources, before);
	for (const source of sources) {
		const known = before?.get(source.key);
		const { kept = known, items: found = [], isCutShort } = compared.get(source.key) ?? {};
		const fits = room(sizeOf(kept) - sizeOf(known));
		if (fits) items.push(found);
		if (!fits || isCutShort) tooMany.push(source);
		const stored = fits ? kept : known;
		if (stored) after.set(source.key, stored);
	}
	return { after, items: items.flat(), tooMany };
}

/** Kept free for further statuses of known messages, in characters. */
export const reserve = 50_000;

/** What is left beside the stored state of these sources. @param free characters that nothing gets */
export function roomBeside(sources: Source[], before: BySource | undefined, free = 0): Room {
	let left = maxCharacters - free;
	for (const { key } of sources) left -= sizeOf(before?.get(key));
	return (characters) => {
		const fits = characters <= Math.max(0, left);
		if (fits) left -= characters;
		return fits;
	};
}

const sizeOf = (kept: Kept | undefined): number => (kept ? JSON.stringify(kept).length : 0);

export const noRoom: Problem = {
	message: 'There are too many messages to watch',
	description: `Remove finished campaigns, or spread them over several workflows. One trigger can store ${maxCharacters / 1_000_000} MB, more than 100,000 messages. Until there is room, new messages of the campaigns named above do not start the workflow; those it knows still do.`,
};

/** A first poll starts nothing. The log says so, or the trigger would seem broken. */
export function logBaseline(
	context: IPollFunctions,
	sources: Source[],
	before: BySource | undefined,
	after: BySource,
): void {
	const isNew = ({ key }: Source) => after.has(key) && !before?.has(key);
	const names = sources.filter(isNew).map(({ name }) => name);
	if (names.length === 0) return;
	const isLost = !before && ['init', 'leadershipChange'].includes(context.getActivationMode());
	const line = `${context.getNode().name}: ${isLost ? 'the state of earlier polls is lost' : 'first poll'}, changes count from now on: ${names.join(', ')}`;
	context.logger[isLost ? 'warn' : 'info'](line);
}
