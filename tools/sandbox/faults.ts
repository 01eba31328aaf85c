import { now } from './clock';
import { destinationOf, phoneOf } from './records';
import type { Fault, FaultRule, OperationId } from './types';

/** An HTTP answer; any body but a string is sent as JSON. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** The client's answer, or a reset connection. */
export type Outcome = Answer | 'reset';

interface Entry {
	rule: FaultRule;
	matches: number;
	hits: number;
	/** The requests that may pass now, for `perSecond`. */
	bucket: { tokens: number; at: number };
}

/** The rules in force. The first one that hits a request decides. */
export class Faults {
	private rules: Entry[] = [];

	add(rule: FaultRule): void {
		const bucket = { tokens: rule.perSecond ?? 0, at: now() };
		this.rules.push({ rule, matches: 0, hits: 0, bucket });
	}

	clear(): void {
		this.rules = [];
	}

	remove(rule: FaultRule): void {
		this.rules = this.rules.filter((entry) => entry.rule !== rule);
	}

	/** Whether a rule is in force, and not used up. */
	has(rule: FaultRule): boolean {
		return this.rules.some((entry) => entry.rule === rule && entry.hits < (rule.times ?? Infinity));
	}

	/** The fault for a request, counted as used. */
	take(operation: OperationId | null, body: unknown): Fault | undefined {
		const to = destinationOf(body);
		return this.rules.find((entry) => this.hits(entry, operation, to))?.rule.fault;
	}

	private hits(entry: Entry, operation: OperationId | null, to: string | undefined): boolean {
		const { rule } = entry;
		if (rule.operation !== undefined && ![rule.operation].flat().some((id) => id === operation))
			return false;
		if (rule.to !== undefined && phoneOf(rule.to) !== to) return false;
		entry.matches += 1;
		const turn = entry.matches - (rule.skip ?? 0);
		if (turn <= 0 || entry.hits >= (rule.times ?? Infinity)) return false;
		if (rule.perSecond !== undefined && letsThrough(entry.bucket, rule.perSecond)) return false;
		const share = rule.share ?? 1;
		if (Math.floor(turn * share) === Math.floor((turn - 1) * share)) return false;
		entry.hits += 1;
		return true;
	}
}

/** A token bucket with the capacity of one second. */
function letsThrough(bucket: Entry['bucket'], perSecond: number): boolean {
	const time = now();
	const added = ((time - bucket.at) / 1000) * perSecond;
	bucket.tokens = Math.min(bucket.tokens + added, perSecond);
	bucket.at = time;
	if (bucket.tokens < 1) return false;
	bucket.tokens -= 1;
	return true;
}

/** Returns the client's answer under a fault. A message is accepted only if `perform` is called. */
export function applyFault(fault: Fault | undefined, perform: () => Answer): Outcome {
	if (fault && 'reset' in fault) {
		if (fault.reset === 'afterAccept') perform();
		return 'reset';
	}
	const misleading = fault && misleadingAnswer(fault);
	if (!misleading) return perform();
	if (fault.accept) perform();
	return misleading;
}

function misleadingAnswer(fault: Fault): Answer | undefined {
	if ('refuse' in fault)
		return { status: fault.status ?? 200, body: { success: false, message: fault.refuse } };
	if ('html' in fault)
		return {
			status: fault.status ?? 200,
			headers: { 'content-type': 'text/html; charset=utf-8' },
			body: '<!doctype html><html><body><h1>Bad gateway</h1></body></html>',
		};
	if ('tooMany' in fault)
		return {
			status: 429,
			headers: fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
			body: { success: false, message: 'Muitas requisições.' },
		};
	if ('status' in fault) return { status: fault.status, headers: fault.headers, body: fault.body };
	return undefined;
}
