import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { SelectedWorkflow } from '../../form/fields/workflow';
import { within } from '../../gateway/pacing/deadline';
import { asLine } from '../../text/quote';

/** Why a workflow gave no usable answer. */
export interface WorkflowError extends Error {
	/** What to do about it, where that is known. */
	advice?: string;
	/** It timed out, and so would the next call. */
	isTimeout?: boolean;
}

/** How long a workflow may take for a call, in ms. */
export const defaultTimeoutMs = 60_000;

class Unusable extends Error {}

export type CallContext = Pick<IExecuteFunctions, 'executeWorkflow' | 'putExecutionToWait'>;

/** A workflow that a run consults before it sends: one item per question, one per answer. */
export class SubWorkflow {
	/** @param kind what the node uses it for, e.g. `deduplication workflow` */
	constructor(
		private readonly context: CallContext,
		private readonly selected: SelectedWorkflow,
		private readonly kind: string,
		private readonly timeoutMs = defaultTimeoutMs,
	) {}

	/**
	 * Stopping the execution does not end a call.
	 *
	 * @param onLate what to do with an answer that comes after the timeout
	 * @throws WorkflowError when the workflow fails or takes too long
	 */
	async call(
		inputs: IDataObject[],
		onLate: (outputs: IDataObject[]) => Promise<void> = async () => {},
	): Promise<IDataObject[]> {
		const called = this.execute(inputs);
		try {
			return await within(this.timeoutMs, undefined, async () => await called);
		} catch (error) {
			const { code, message } = error as Error & { code?: string };
			if (code !== 'ETIMEDOUT') throw error instanceof Unusable ? error : this.notCalled(message);
			void called.then(onLate).catch(() => {});
			const reason = `it took longer than ${this.timeoutMs / 1000} seconds`;
			throw Object.assign(this.unusable(reason), { isTimeout: true });
		}
	}

	/** Calls it without a time limit. */
	async execute(inputs: IDataObject[]): Promise<IDataObject[]> {
		const items = inputs.map((json, item) => ({ json, pairedItem: { item } }));
		const { data, waitTill } = await this.context.executeWorkflow({ id: this.selected.id }, items);
		if (!waitTill) return (data[0] ?? []).map(({ json }) => json);
		// n8n has put this execution to wait for the other one, with which it would never go on.
		await this.context.putExecutionToWait(undefined as never);
		throw this.unusable('it waits', howNotToWait);
	}

	private notCalled(reason: string): WorkflowError {
		if (!/^workflow\b.* (not (active|published)|does not exist)/i.test(reason))
			return this.unusable(reason);
		const { id, name } = this.selected;
		return id === name // entered by hand; n8n says the same of a wrong ID
			? this.unusable('n8n has no published workflow with this ID', howToEnter)
			: this.unusable(reason, 'Publish it: n8n only calls published workflows.');
	}

	/** @param reason what it did, e.g. `it returned no state for the key '1'` */
	unusable(reason: string, advice?: string): WorkflowError {
		const message = `The ${this.kind} '${this.selected.name}' did not work: ${asLine(reason)}`;
		return Object.assign(new Unusable(message), { advice });
	}
}

const howNotToWait =
	'Remove whatever makes it wait (a Wait node, a question to a person): it has to answer at once.';

const howToEnter = "Enter the last part of the workflow's address in the editor, and publish it.";

/** Advice for any of its errors that has none. */
export const executionsShowWhy = 'Open its executions in n8n to see why.';
