import { setImmediate as turn } from 'node:timers/promises';
import type { DeduplicationHelperFunctions, ICheckProcessedContextData } from 'n8n-workflow';

import { DeduplicationStore } from '../../engine/harness/deduplication';
import { node } from '../../../testing/context';

type Helpers = Pick<DeduplicationHelperFunctions, 'checkProcessedAndRecord' | 'removeProcessed'>;

/** Longer than any call of the store takes. */
export async function afterCalls(): Promise<void> {
	for (let count = 0; count < 10; count++) await turn();
}

/** n8n's deduplication store, as the helpers of one node reach it. */
export class Store {
	readonly table = new DeduplicationStore();

	readonly helpers = this.open(async (call) => await call());

	/** Calls that read and write the store. */
	get calls(): number {
		return Object.values(this.table.calls).reduce((sum, count) => sum + count, 0);
	}

	/** The helpers of a process that dies with its n-th call; that call may still reach the store. */
	dyingAt(calls: number, reached: boolean) {
		let left = calls;
		const process = { dead: false, died: new Promise<void>(() => {}) };
		let die = () => {};
		process.died = new Promise((resolve) => (die = resolve));
		const helpers = this.open(async (call) => {
			if (--left > 0) return await call();
			if (left === 0 && reached) await call();
			process.dead = true;
			die();
			return await new Promise<never>(() => {});
		});
		return { process, helpers };
	}

	private open(through: <T>(call: () => Promise<T>) => Promise<T>): DeduplicationHelperFunctions {
		const context = { workflow: { id: 'workflow-1' }, node } as ICheckProcessedContextData;
		const helpers: Helpers = {
			checkProcessedAndRecord: async (keys, scope, options) =>
				await through(
					async () => await this.table.checkProcessedAndRecord(keys, scope, context, options),
				),
			removeProcessed: async (keys, scope, options) =>
				await through(async () => await this.table.removeProcessed(keys, scope, context, options)),
		};
		return helpers as DeduplicationHelperFunctions;
	}
}
