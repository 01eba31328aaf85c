import { sleep, type IExecuteFunctions, type IDataObject } from 'n8n-workflow';

import { isCancellation, isNotCallable } from '../n8n/sentences';
import { withTimeout } from '../n8n/timeout';
import { asLine } from '../text/quote';

/** The reason why a workflow gave no usable answer. */
export class WorkflowError extends Error {
	/** A sentence that says what to do about it. Undefined for an error of n8n's own store. */
	hint?: string;
	/** Whether the workflow failed or was silent for so long that the next call would, too. */
	isTimeout?: boolean;
}

type CallError = Error & { code?: string; isTimeout?: boolean };

/** A workflow that a run consults before it sends: one item per question, one per answer. */
export class SubWorkflow {
	/** Set once the workflow was silent or failed for so long that it would be again. */
	private givenUp: WorkflowError | undefined;

	/** @param kind what the node uses it for, e.g. `deduplication workflow` */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly id: string,
		private readonly kind: string,
		private readonly timeoutMs = dependencyTimeoutMs,
	) {}

	/**
	 * Calls the workflow with these items, and returns its output. A call that fails is repeated, until its
	 * time is up or the execution is stopped. Neither ends a call that is under way.
	 *
	 * @throws WorkflowError when the workflow fails or takes too long
	 */
	async call(inputs: IDataObject[]): Promise<IDataObject[]> {
		if (this.givenUp) throw this.givenUp;
		const isFutile = () => this.isStopped || this.givenUp !== undefined;
		return await this.callWithRetries(inputs, isFutile).catch((error: WorkflowError) => {
			if (error.isTimeout) this.givenUp = error;
			throw error;
		});
	}

	/**
	 * Calls the workflow with items that need no answer, after a stop as well.
	 *
	 * @throws WorkflowError when the workflow fails or takes too long
	 */
	async tell(inputs: IDataObject[]): Promise<void> {
		// n8n ends what a workflow calls when its time is up, but not what nobody waits for.
		const isEnded = (error: Error) => this.isStopped && isCancellation(error);
		await this.callWithRetries(inputs, isEnded).catch(async (error: WorkflowError) => {
			if (!isEnded(error)) throw error;
			await this.execute(inputs, { doNotWaitToFinish: true });
		});
	}

	private get isStopped(): boolean {
		return this.context.getExecutionCancelSignal?.()?.aborted === true;
	}

	/** @param isFutile whether another call is not worth it after an error */
	private async callWithRetries(
		inputs: IDataObject[],
		isFutile: (error: Error) => boolean,
	): Promise<IDataObject[]> {
		const { timeoutMs } = this;
		const ask = async () => await this.execute(inputs);
		const isTransient = (error: Error) =>
			!(error instanceof WorkflowError || isNotCallable(error) || isFutile(error));
		try {
			const task = async () => await retryWhileTransient(ask, timeoutMs, isTransient);
			return await withTimeout(timeoutMs, undefined, task);
		} catch (error) {
			const { code, isTimeout = code === 'ETIMEDOUT' } = error as CallError;
			throw Object.assign(this.explain(error as CallError), { isTimeout });
		}
	}

	private async execute(
		inputs: IDataObject[],
		options?: { doNotWaitToFinish: boolean },
	): Promise<IDataObject[]> {
		const { context, id } = this;
		const items = inputs.map((json, item) => ({ json, pairedItem: { item } }));
		const { data, waitTill } = await context.executeWorkflow({ id }, items, undefined, options);
		if (!waitTill) return (data[0] ?? []).map(({ json }) => json);
		// n8n has put this execution to wait for the other one, with which it would never go on.
		await context.putExecutionToWait(undefined as never);
		throw this.toError(
			'it waits',
			'Remove whatever makes it wait (a Wait node, a question to a person): it has to answer at once.',
		);
	}

	private explain(error: CallError): WorkflowError {
		const { code, message } = error;
		if (error instanceof WorkflowError) return error;
		if (code === 'ETIMEDOUT')
			return this.toError(`it took longer than ${this.timeoutMs / 1000} seconds`);
		if (!isNotCallable(error)) return this.toError(message);
		return this.toError(
			'n8n can call no published workflow with this ID',
			"Enter the last part of the workflow's address in the editor as its ID in the credential. Publish it, and let all your workflows call it, in its settings.",
		);
	}

	/** Makes an error. @param reason what the workflow did, e.g. `it returned no state for the key '1'` */
	toError(reason: string, hint = 'Open its executions in n8n to see why.'): WorkflowError {
		const message = `The ${this.kind} '${this.id}' did not work: ${asLine(reason)}`;
		return Object.assign(new WorkflowError(message), { hint });
	}
}

/** The first and the longest of the growing pauses, in ms, before a dependency that fails is asked again. */
const firstRetryPauseMs = 200;
const longestRetryPauseMs = 5_000;

/** The time, in ms, for which a dependency, such as a database that restarts, may fail or be silent. */
export const dependencyTimeoutMs = 60_000;

/**
 * Calls a dependency again, after pauses, while it fails in a way that may pass.
 *
 * @throws what failed last, `isTimeout` if its time was up
 */
export async function retryWhileTransient<T>(
	ask: () => Promise<T>,
	ms = dependencyTimeoutMs,
	isTransient: (error: Error) => boolean = () => true,
): Promise<T> {
	const end = performance.now() + ms;
	for (let pauseMs = firstRetryPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestRetryPauseMs)) {
		const asked = ask().then((answer) => ({ answer }));
		const isLast = performance.now() + pauseMs >= end;
		const answered = await asked.catch((error: Error) => {
			if (!isTransient(error) || isLast)
				throw Object.assign(error, { isTimeout: isTransient(error) });
		});
		if (answered) return answered.answer;
		await sleep(pauseMs);
	}
}
