import type { IExecuteFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/boundedMap';
import type { ItemRequest } from '../operation';
import type { Report, Result } from './report';

interface Try {
	/** Of this node in this execution, this one included. */
	number: number;
	/** By item: what must not be sent again, and by what a later try knows it. */
	results: Array<{ identity: string; result: Result } | undefined>;
}

/** The latest tries that n8n may repeat. */
const tries = new BoundedMap<Try>(100);

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

/** How many n8n makes at the most. */
const mostTries = 5;

/**
 * What an earlier try of the same node in the same execution has done: with 'Retry On Fail', n8n
 * runs the whole node again. What was accepted comes out with its answer, what may have been stays
 * an error, and only the rest is sent.
 */
export class EarlierTry {
	private readonly earlier: Try | undefined;

	private readonly identities: string[] = [];

	private constructor(
		private readonly name: string,
		private readonly isTool: boolean,
		private readonly maxTries: number,
	) {
		this.earlier = tries.get(name);
	}

	/** Undefined where n8n does not try again. */
	static of(context: IExecuteFunctions): EarlierTry | undefined {
		const { id, type, retryOnFail, maxTries } = context.getNode();
		// As an agent's tool, each try is a run of its own: there the message itself has to be the same.
		const isTool = type.endsWith('Tool');
		const execution = context.getExecutionId() ?? (isTool ? callOf(context) : undefined);
		if (!retryOnFail || !execution) return undefined;
		const run = isTool ? 'tool' : String(context.getWorkflowDataProxy(0).$runIndex);
		return new EarlierTry([execution, id, run].join(' '), isTool, maxTries ?? mostTries);
	}

	/** What became of an item in the earlier try, if that must not be repeated. */
	resultOf(item: number, request: ItemRequest): Result | undefined {
		const { method, path, recipient, body } = request;
		this.identities[item] = JSON.stringify([method, path, recipient, this.isTool && body]);
		const before = this.earlier?.results[item];
		return before?.identity === this.identities[item] ? before.result : undefined;
	}

	/**
	 * Adds to the report what this try did not get to, and keeps all of it for the next one, as long
	 * as there may be one.
	 */
	finish(report: Report): void {
		const before = this.earlier?.results ?? [];
		const number = (this.earlier?.number ?? 0) + 1;
		const results = Array.from(
			{ length: Math.max(before.length, this.identities.length) },
			(_, item) => {
				const identity = this.identities[item];
				const result = report.results[item];
				if (identity === undefined || !result) return before[item];
				return result.kind === 'refused' ? undefined : { identity, result };
			},
		);
		if (!this.isTool) {
			results.forEach((kept, item) => {
				if (kept && !report.results[item]) report.set(item, kept.result);
			});
		}
		const isLast = !report.hasFailed || (number >= this.maxTries && !this.isTool);
		if (isLast) tries.delete(this.name);
		else tries.set(this.name, { number, results });
	}
}
