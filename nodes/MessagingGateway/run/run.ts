import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { Entered } from '../../form/entered';
import { hasLastingKey } from '../../form/fields/deduplication';
import { isAgentTool } from '../../gateway/agent';
import { asNodeError } from '../../gateway/errors';
import { Abort } from '../../gateway/pacing/abort';
import type { Operation } from '../operation';
import { DoNotContactLists } from './doNotContact';
import { Flow } from './flow';
import type { Failed } from './job';
import { Journal } from './journal';
import { RunKeys, type Unrecorded } from './keys/runKeys';

/** One run of an operation: what its parts have in common, each made once it is needed. */
export class Run {
	readonly entered: Entered;

	/** Whether an AI agent gets the output. */
	readonly isTool: boolean;

	/** What must not be sent again; only of an operation that must not be repeated. */
	readonly journal: Journal | undefined;

	readonly flow: Flow;

	/** Ends waits and new requests: the execution was cancelled, or an item failed. */
	readonly abort = new Abort();

	private usedKeys: RunKeys | undefined;
	private askedLists: DoNotContactLists | undefined;

	constructor(
		readonly context: IExecuteFunctions,
		readonly operation: Operation,
	) {
		const { idempotent, uncertainty } = operation;
		this.entered = new Entered(context);
		this.isTool = isAgentTool(this.node);
		this.journal = uncertainty && new Journal(context, uncertainty);
		this.flow = new Flow(idempotent);
	}

	/** n8n copies it each time it is asked for it. */
	get node(): INode {
		return this.entered.node;
	}

	get keys(): RunKeys {
		return (this.usedKeys ??= new RunKeys(this.context, this.flow, this.abort));
	}

	get lists(): DoNotContactLists {
		return (this.askedLists ??= new DoNotContactLists(this.context, this.flow, this.abort));
	}

	/** Resolves when the ends of all claims are recorded, with those that could not be. */
	async closeKeys(): Promise<Unrecorded[]> {
		await this.usedKeys?.close();
		return this.usedKeys?.unrecorded ?? [];
	}

	/** Whether the node has keys that are the same in another run. */
	get hasLastingKey(): boolean {
		return hasLastingKey(this.entered);
	}

	get isCanceled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted === true;
	}

	/** @param cause anything thrown @param endsRun whether it stops the run, unless the node continues */
	failed(index: number, cause: unknown, kind: Failed['kind'], endsRun = true): Failed {
		const error = asNodeError(this.node, cause);
		if (error !== cause) error.context.itemIndex = index;
		return { kind, error, description: error.description ?? '', endsRun };
	}
}
