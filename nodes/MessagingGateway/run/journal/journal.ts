import type { ItemRequest } from '../../operation';
import type { Fate, Result } from '../job';

/**
 * Records which messages must not be sent again. It lives in the node's context, which n8n passes to
 * the next try of 'Retry On Fail' and, with a failed execution, to the one that its Retry starts, on
 * any worker. So both go on where the run stopped: an accepted message comes out with its answer, one
 * that may have been sent stays an error, and only the rest is sent.
 */
export interface Journal {
	/**
	 * Identifies the run of an earlier execution that this one is about to continue, which may happen
	 * once. Undefined where there is none.
	 */
	readonly inherited: string | undefined;
	/** From now on that run belongs to this execution. */
	inherit(): void;
	/** Whether the retried execution may have sent items of this run without leaving a record. */
	readonly isForgotten: boolean;
	/**
	 * The earlier result of an item that must not be sent again; `changed` where a different request
	 * was accepted, or may have been.
	 */
	read(item: number, request: ItemRequest): Result | 'changed' | undefined;
	/** The same for an item that could not be read this time, or was not reached. */
	readUnknown(item: number): Result | undefined;
	/** Call before the request of an item that was read here leaves. */
	claim(item: number): void;
	/** Call with what became of an item. */
	end(item: number, fate: Fate): void;
	/** Call at the end of a run. Where n8n may run it again, everything is kept. */
	close(isUnfinished: boolean): void;
}
