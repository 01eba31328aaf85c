import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { within } from '../../gateway/pacing/deadline';
import { asLine } from '../../text/quote';

/** A workflow that was chosen in the options. */
export interface ChosenWorkflow {
	id: string;
	/** As people know it. */
	name: string;
}

/** Why a workflow gave no answer that can be used. */
export interface WorkflowError extends Error {
	/** What to do about it, where that is known. */
	advice?: string;
	/** It does not answer: to ask it again would take as long. */
	isSilent?: boolean;
}

/** How long a workflow may take for a call, in ms. */
export const defaultTimeoutMs = 60_000;

/** A workflow that a run asks before it sends: with an item for each question, and one as its answer. */
export class AskedWorkflow {
	/** @param kind what it is to the node, e.g. `deduplication workflow` */
	constructor(
		private readonly context: Pick<IExecuteFunctions, 'executeWorkflow'>,
		private readonly chosen: ChosenWorkflow,
		private readonly kind: string,
		private readonly timeoutMs = defaultTimeoutMs,
	) {}

	/**
	 * A stop of the execution does not end a call.
	 *
	 * @param late what to do with an answer that comes after the time
	 * @throws WorkflowError when the workflow fails or takes too long
	 */
	async call(
		inputs: IDataObject[],
		late: (outputs: IDataObject[]) => Promise<void> = async () => {},
	): Promise<IDataObject[]> {
		const called = this.execute(inputs);
		try {
			return await within(this.timeoutMs, undefined, async () => await called);
		} catch (error) {
			const { code, message } = error as Error & { code?: string };
			if (code !== 'ETIMEDOUT') throw this.unusable(message, adviceFor(message));
			void called.then(late).catch(() => {});
			const reason = `it took longer than ${this.timeoutMs / 1000} seconds`;
			throw Object.assign(this.unusable(reason), { isSilent: true });
		}
	}

	/** However long it takes. */
	async execute(inputs: IDataObject[]): Promise<IDataObject[]> {
		const items = inputs.map((json, item) => ({ json, pairedItem: { item } }));
		const { data } = await this.context.executeWorkflow({ id: this.chosen.id }, items);
		return (data[0] ?? []).map(({ json }) => json);
	}

	/** @param reason what it did, e.g. `it returned no state for the key '1'` */
	unusable(reason: string, advice?: string): WorkflowError {
		const message = `The ${this.kind} '${this.chosen.name}' did not work: ${asLine(reason)}`;
		return Object.assign(new Error(message), { advice });
	}
}

/** What to do about any of these, where nothing better is known. */
export const executionsShowWhy = 'Open its executions in n8n to see why.';

/** n8n from 2.0 on calls published workflows only. */
const adviceFor = (message: string): string | undefined =>
	/not (active|published)/i.test(message)
		? 'Publish it: n8n only calls published workflows.'
		: undefined;
