import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

import type { KeyRequest } from '../../../nodes/send/keys/keyStore';
import { DeduplicationStore } from '../../../tools/shared/deduplicationStore';

/** The same, asked about several keys. */
export const asks = (
	action: KeyRequest['action'],
	...asked: Array<KeyRequest['key'] & Pick<KeyRequest, 'claimId'>>
): KeyRequest[] => asked.map(({ claimId, ...key }) => ({ action, key, claimId }));

/** Longer than any call of the store takes, and than it waits for others to join it. */
export async function afterCalls(): Promise<void> {
	for (let count = 0; count < 8; count++) {
		await wait(1);
		await turn();
	}
}

/** n8n's deduplication store, as the helpers of one node reach it. */
export class Store {
	readonly table = new DeduplicationStore();
	readonly helpers = this.table.helpers();

	/** Calls that read and write the store. */
	get calls(): number {
		return Object.values(this.table.calls).reduce((sum, count) => sum + count, 0);
	}
}
