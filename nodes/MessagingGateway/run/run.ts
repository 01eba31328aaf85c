import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { Entered } from '../../form/item';
import { hasLastingKey } from '../../form/fields/deduplication';
import { isAgentTool } from '../../gateway/node';
import { asNodeError } from '../../gateway/errors';
import { Abort } from '../../gateway/pacing/time';
import type { Operation } from '../operation';
import { DoNotContactLists } from './doNotContact';
import { Flow } from './flow';
import type { Failed } from './job';
import { Journal } from './journal';
import { RunKeys } from './keys/runKeys';

/** One run of an operation: what its parts have in common, each made once it is needed. */
export class Run {
	readonly entered: Entered;

	/** n8n copies it each time it is asked for it. */
	readonly node: INode;

	/** Whether an AI agent gets the output. */
	readonly isTool: boolean;

	/** What must not be sent again; only of an operation that must not be repeated. */
	readonly journal: Journal | undefined;

	readonly flow: Flow;

	/** Of *Stop*, or the workflow's time-out; undefined in Engine 2.0. */
	readonly cancel: AbortSignal | undefined;

	/** Ends waits and new requests: the execution was cancelled, or an item failed. */
	readonly abort = new Abort();

	/** Of messages with a key. */
	usedKeys: RunKeys | undefined;
	private askedLists: DoNotContactLists | undefined;
	private isKeyLasting: boolean | undefined;

	constructor(
		readonly context: IExecuteFunctions,
		readonly operation: Operation,
	) {
		const { idempotent, uncertainty } = operation;
		this.entered = new Entered(context);
		this.node = this.entered.node;
		this.isTool = isAgentTool(this.node);
		this.journal = uncertainty && new Journal(context, uncertainty);
		this.flow = new Flow(idempotent);
		this.cancel = context.getExecutionCancelSignal();
	}

	get keys(): RunKeys {
		return (this.usedKeys ??= new RunKeys(this.context, this.flow, this.abort));
	}

	get lists(): DoNotContactLists {
		return (this.askedLists ??= new DoNotContactLists(this.context, this.flow, this.abort));
	}

	/** Whether the node has keys that are the same in another run. */
	get hasLastingKey(): boolean {
		return (this.isKeyLasting ??= hasLastingKey(this.entered));
	}

	get isCanceled(): boolean {
		return this.cancel?.aborted === true;
	}

	/** @param cause anything thrown @param endsRun whether it stops the run, unless the node continues */
	failed(index: number, cause: unknown, kind: Failed['kind'], endsRun = true): Failed {
		const error = asNodeError(this.node, cause);
		if (error !== cause) error.context.itemIndex = index;
		return { kind, error, hint: error.description ?? '', endsRun };
	}
}
