import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../gateway/answerBody';
import type { Settings } from './settings';
import type { Memory, StatusEvent } from './statusEvent';

/** Characters of JSON that n8n is given to store. A message takes 12, its campaign some 150. */
export const mostCharacters = 2_000_000;

/** What n8n keeps of a node, in its static data. */
interface State {
	v: 1;
	/** What the memories are of: another event, channel or filter begins anew. */
	scope: string;
	memories: Memories;
}

/** By the key of their source. */
type Memories = Record<string, Memory>;

export function scopeOf(event: StatusEvent, { channel, statuses }: Settings): string {
	const hasChannel = event.fields.some(({ name }) => name === 'channel');
	return JSON.stringify([
		event.value,
		...(hasChannel ? [channel] : []),
		...(event.options ? [statuses] : []),
	]);
}

/** The memories of the last look; undefined where there was none, or they are lost. */
export function recall(data: IDataObject, scope: string): Map<string, Memory> | undefined {
	const state = (data.state ?? {}) as Partial<State>;
	const isUsable = state.v === 1 && state.scope === scope && isObject(state.memories);
	return isUsable ? new Map(Object.entries(state.memories as Memories)) : undefined;
}

export function keep(data: IDataObject, scope: string, memories: Map<string, Memory>): void {
	const state: State = { v: 1, scope, memories: Object.fromEntries(memories) };
	data.state = state as unknown as IDataObject;
}

export const sizeOf = (memory: Memory | undefined): number =>
	memory === undefined ? 0 : JSON.stringify(memory).length;
