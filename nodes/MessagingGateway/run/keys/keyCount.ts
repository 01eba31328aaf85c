import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../../form/humanReview';

interface Count {
	/** The node's run that added keys last, of those of a loop. */
	run: number;
	/** Keys of the runs before it. */
	earlier: number;
	/** Keys of that run, in all its tries. */
	own: number;
}

/**
 * How many keys an execution has added to a store that keeps the latest ones only. It stands in n8n's
 * context of the node, and so holds over the runs of a loop, the tries of 'Retry On Fail', and the
 * execution that n8n's Retry starts.
 */
export class KeyCount {
	/** Keys of earlier runs. */
	readonly earlier: number;

	private readonly count: Count;

	constructor(context: IExecuteFunctions) {
		const run = context.getWorkflowDataProxy(0).$runIndex as number;
		// n8n's MCP Server Trigger calls a tool outside of any execution.
		const data = context.getExecutionId() ? context.getContext('node') : {};
		this.count = (data.deduplicationKeys ??= { run, earlier: 0, own: 0 }) as Count;
		// The calls of a tool share their context, and each sends a message of its own.
		if (this.count.run !== run || isAgentTool(context.getNode())) this.startRun(run);
		this.earlier = this.count.earlier;
	}

	/** @param keys negative where a key is free again */
	add(keys: 1 | -1): void {
		this.count.own += keys;
	}

	private startRun(run: number): void {
		this.count.earlier += this.count.own;
		this.count.own = 0;
		this.count.run = run;
	}
}
