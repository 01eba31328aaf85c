import type { IPollFunctions } from 'n8n-workflow';

import { inProcess } from '../gateway/inProcess';
import type { Outcome, Refused } from '../gateway/outcome';
import { ticks } from '../gateway/pacing/clock';
import { Reports } from '../gateway/reports';

/**
 * What this process remembers about a node besides its stored state; lost at a restart. Its times are
 * in ticks.
 */
export interface ProcessMemory {
	/** Of failures, by kind. */
	reports: Reports;
	/** Kinds of failure in the last poll. */
	failing: Set<string>;
	/** What the last poll did with a report that was due. */
	due?: 'putOff' | 'thrown';
	/** What the service has asked an account for. */
	pause?: { account: string; until: number; refusal: Refused };
	/** Key of the source that the next poll starts with, since the last one ran out of time. */
	next?: string;
}

/** By workflow and node. */
const memories = inProcess.map<ProcessMemory>(1_000);

export function memoryOf(context: IPollFunctions): ProcessMemory {
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(name) ?? { reports: new Reports(), failing: new Set() };
	memories.set(name, memory);
	return memory;
}

export const dayMs = 24 * 60 * 60 * 1000;

/** Longer pauses are cut to this. */
const maxPauseMs = dayMs;

/** Notes a pause that an answer asks for. The longest one counts. */
export function notePause(memory: ProcessMemory, account: string, outcome: Outcome): void {
	if (outcome.kind !== 'refused' || outcome.retryAfterMs === undefined) return;
	const until = ticks() + Math.min(outcome.retryAfterMs, maxPauseMs);
	const { pause } = memory;
	if (pause?.account === account && pause.until >= until) return;
	memory.pause = { account, until, refusal: outcome };
}

/** The refusal to expect during a pause, without a request; undefined if there is no pause. */
export function refusalInPause({ pause }: ProcessMemory, account: string): Refused | undefined {
	if (pause?.account !== account) return undefined;
	const retryAfterMs = pause.until - ticks();
	return retryAfterMs > 0 ? { ...pause.refusal, retryAfterMs } : undefined;
}
