import type { IExecuteFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/boundedMap';
import type { ItemRequest } from '../operation';
import type { Report, Result } from './report';

interface Kept {
	/** By what a later try knows the item. */
	identity: string;
	result: Result;
}

interface Try {
	/** Of this node in this execution, this one included. */
	number: number;
	/** What must not be sent again: by item, for a tool by identity. */
	results: Map<string, Kept>;
}

/** Tries that n8n may repeat. Those of an ordinary node are gone with its last one. */
const tries = new BoundedMap<Try>(10_000);

/** Calls of tools, by the arguments that n8n hands to each try of one. */
const calls = new WeakMap<object, string>();

/** Names a call of n8n's MCP Server Trigger, which calls a tool outside of any execution. */
function callOf(context: IExecuteFunctions): string | undefined {
	const given = context.getInputData()[0]?.json;
	if (!given) return undefined;
	const call = calls.get(given) ?? `call ${++callCount}`;
	calls.set(given, call);
	return call;
}

let callCount = 0;

/** How many tries n8n makes, whatever number it is given. */
const triesOf = (maxTries: number | undefined): number => Math.min(5, Math.max(2, maxTries || 3));

/**
 * What an earlier try of the same node in the same execution has done: with 'Retry On Fail', n8n
 * runs the whole node again. What was accepted comes out with its answer, what may have been stays
 * an error, and only the rest is sent.
 */
export class EarlierTry {
	private readonly earlier: Try;

	private readonly identities: string[] = [];

	private constructor(
		private readonly name: string,
		private readonly isTool: boolean,
		private readonly maxTries: number,
	) {
		this.earlier = tries.get(name) ?? { number: 0, results: new Map() };
	}

	/** Undefined where n8n does not try again. */
	static of(context: IExecuteFunctions): EarlierTry | undefined {
		const { id, type, retryOnFail, maxTries } = context.getNode();
		// As an agent's tool, each try is a run of its own: there the message itself has to be the same.
		const isTool = type.endsWith('Tool');
		const execution = context.getExecutionId() ?? (isTool ? callOf(context) : undefined);
		if (!retryOnFail || !execution) return undefined;
		const run = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
		return new EarlierTry([execution, id, run].join(' '), isTool, triesOf(maxTries));
	}

	/** What became of an item in the earlier try, if that must not be repeated. */
	resultOf(item: number, request: ItemRequest): Result | undefined {
		const { method, path, recipient, body } = request;
		const identity = JSON.stringify([method, path, recipient, this.isTool && body]);
		this.identities[item] = identity;
		const before = this.earlier.results.get(this.keyOf(item, identity));
		return before?.identity === identity ? before.result : undefined;
	}

	/** The same of an item that cannot be read this time; which message of a tool it is, nobody knows. */
	resultOfUnread(item: number): Result | undefined {
		const result = this.isTool ? undefined : this.earlier.results.get(String(item))?.result;
		// It is what keeps the item from being read that ends this run.
		return result && 'endsRun' in result ? { ...result, endsRun: false } : result;
	}

	/**
	 * Adds to the report what this try did not get to, and keeps all of it for the next one, as long
	 * as there may be one.
	 */
	finish(report: Report): void {
		const kept = tries.get(this.name) ?? this.earlier; // other calls of the tool may have ended
		kept.number++;
		if (!this.isTool) {
			for (const [item, { result }] of kept.results) {
				if (!report.results[Number(item)]) report.set(Number(item), result);
			}
		}
		const isLast = !report.hasFailed || (kept.number >= this.maxTries && !this.isTool);
		this.identities.forEach((identity, item) => {
			const result = report.results[item];
			const key = this.keyOf(item, identity);
			if (isLast) kept.results.delete(key);
			else if (result && result.kind !== 'refused') kept.results.set(key, { identity, result });
		});
		if (kept.results.size === 0 || (isLast && !this.isTool)) tries.delete(this.name);
		else tries.set(this.name, kept);
	}

	private keyOf(item: number, identity: string): string {
		return this.isTool ? identity : String(item);
	}
}
