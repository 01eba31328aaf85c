import type { IPollFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../gateway/memory';
import type { Outcome } from '../../gateway/outcome';

export type Refused = Extract<Outcome, { kind: 'refused' }>;

/** The service wants to be left alone by an account. */
export interface Pause {
	account: string;
	/** In ms since 1970. */
	until: number;
	/** In which words it asked for it. */
	refusal: Refused;
}

/** What this process remembers of a node besides its state. After a restart it begins anew. */
export interface NodeMemory {
	/** By the kind of failure: when it was said last, in ms since 1970, and whether it ended since. */
	said: Map<string, { at: number; hasEnded: boolean }>;
	/** Kinds of the last look. */
	failing: Set<string>;
	/** Looks that had something to say and returned changes instead, since the last that said it. */
	putOff: number;
	pause?: Pause;
	/** Key of the source that the next look begins with: the last one did not get to it. */
	next?: string;
}

const memories = new BoundedMap<NodeMemory>(1_000);

export function memoryOf(context: IPollFunctions): NodeMemory {
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(name) ?? { said: new Map(), failing: new Set(), putOff: 0 };
	memories.set(name, memory);
	return memory;
}
