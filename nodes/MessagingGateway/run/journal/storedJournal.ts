import type { IExecuteFunctions } from 'n8n-workflow';

/** What every journal keeps in the node's context. */
export interface Stored {
	/** The execution that last wrote it; undefined for what no execution has begun. */
	execution?: string;
	isForgotten?: true;
}

/** A journal that n8n stores with a failed execution and passes on to its Retry. */
export abstract class StoredJournal {
	/** Tells it from the other journals of the node in an execution. */
	protected abstract readonly name: string;
	protected abstract readonly stored: Stored;
	protected readonly execution: string | undefined;

	constructor(protected readonly context: IExecuteFunctions) {
		this.execution = context.getExecutionId();
	}

	get inherited(): string | undefined {
		const { execution } = this.stored;
		if (execution === this.execution) return undefined;
		const from = execution ?? this.context.getExecutionContext?.()?.establishedAt;
		return from === undefined ? undefined : `${from} ${this.name}`;
	}

	inherit(): void {
		this.stored.execution = this.execution;
	}

	get isForgotten(): boolean {
		return this.stored.isForgotten === true;
	}

	/**
	 * Without a record. In a retry, n8n may have lost it: it saves a node's context at the end of an
	 * execution only, and not with one that was stopped. Nothing that it shows a node distinguishes that
	 * from a node that had not begun, so the retry first has to take over what the retried execution may
	 * have begun.
	 */
	protected begin(): Stored {
		const isRetry = this.context.getMode() === 'retry';
		return isRetry ? { isForgotten: true } : { execution: this.execution };
	}
}
