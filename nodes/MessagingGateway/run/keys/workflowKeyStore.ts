import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { within } from '../../../shared/deadline';
import { isNothing } from '../../item/values';
import type { Claim, Ended, Key, KeyStore } from './keyStore';

/** The workflow that keeps the keys. */
export interface KeyWorkflow {
	id: string;
	/** As people know it. */
	name: string;
}

/** How long the workflow may take for a call, in ms. */
const defaultTimeoutMs = 60_000;

const actions = { accepted: 'accept', released: 'release' } as const;
const states: readonly unknown[] = ['fresh', 'accepted', 'unanswered'];

/**
 * Keeps keys by means of a workflow, on whatever database it uses: so they hold for all workers,
 * where that database can claim a key in one step.
 *
 * The workflow is called with an item per key, `{ action, scope, key, to }`, where `action` is
 * `claim`, `accept` or `release`; a call never has two of one key. It answers an item for each claim,
 * `{ key, state, to }`, in any order: what the key was until then, `fresh`, `accepted` or
 * `unanswered`, and the number of the message that it names, if it is known.
 */
export class WorkflowKeyStore implements KeyStore {
	readonly capacity = Infinity;

	readonly advice = 'Its executions, in the list of n8n, show why.';

	constructor(
		private readonly context: Pick<
			IExecuteFunctions,
			'executeWorkflow' | 'getExecutionCancelSignal'
		>,
		private readonly workflow: KeyWorkflow,
		/** Whose keys they are. */
		private readonly scope: string,
		private readonly timeoutMs = defaultTimeoutMs,
	) {}

	/** @throws Error when the workflow fails, takes too long, or does not tell of every claimed key */
	async update(ended: Ended[], claimed: Key[]): Promise<Claim[]> {
		const ends = ended.map((key) => this.inputOf(actions[key.ending], key));
		const claims = claimed.map((key) => this.inputOf('claim', key));
		const names = new Set(ended.map(({ key }) => key));
		if (claimed.some(({ key }) => names.has(key))) {
			await this.call(ends);
			return this.read(await this.call(claims), claimed);
		}
		return this.read(await this.call([...ends, ...claims]), claimed);
	}

	private inputOf(action: string, { key, recipient }: Key): IDataObject {
		return { action, scope: this.scope, key, to: recipient };
	}

	private async call(inputs: IDataObject[]): Promise<IDataObject[]> {
		const items = inputs.map((json, item) => ({ json, pairedItem: { item } }));
		try {
			const { data } = await within(
				this.timeoutMs,
				this.context.getExecutionCancelSignal(),
				async () => await this.context.executeWorkflow({ id: this.workflow.id }, items),
			);
			return (data[0] ?? []).map(({ json }) => json);
		} catch (error) {
			throw this.unusable(reasonOf(error as Error, this.timeoutMs));
		}
	}

	private read(outputs: IDataObject[], claimed: Key[]): Claim[] {
		const told = new Map(outputs.map((output) => [output.key, output]));
		return claimed.map(({ key, recipient }) => {
			const { state, to } = told.get(key) ?? {};
			if (!states.includes(state)) {
				const text = state === undefined ? 'no state' : `the state '${String(state)}'`;
				throw this.unusable(`it gave ${text} for the key '${key}'`);
			}
			const isElsewhere = state === 'accepted' && !isNothing(to) && String(to) !== recipient;
			return isElsewhere ? 'elsewhere' : (state as Claim);
		});
	}

	private unusable(reason: string): Error {
		return new Error(`The deduplication workflow '${this.workflow.name}' did not work: ${reason}`);
	}
}

function reasonOf({ code, message }: Error & { code?: string }, timeoutMs: number): string {
	if (code === 'ETIMEDOUT') return `it took longer than ${timeoutMs / 1000} seconds`;
	return code === 'ERR_CANCELED' ? 'the execution was stopped' : message;
}
