import type { IDataObject } from 'n8n-workflow';

/** A workflow that keeps deduplication keys, as docs/internals/deduplication.md describes one. */
export function keyWorkflow() {
	const keys = new Map<unknown, { to: unknown; accepted?: true }>();
	const carryOut = ({ action, key, to }: IDataObject): IDataObject[] => {
		const row = keys.get(key);
		if (action === 'release') keys.delete(key);
		if (action === 'accept' && row) row.accepted = true;
		if (action === 'claim' && !row) keys.set(key, { to });
		if (action !== 'claim' && action !== 'read') return [];
		if (!row) return [{ key, state: 'fresh' }];
		return [{ key, state: row.accepted ? 'accepted' : 'unanswered', to: row.to } as IDataObject];
	};
	return {
		call: async (inputs: IDataObject[]) => inputs.flatMap(carryOut),
		/** All that it stores, for comparison. */
		dump: () => JSON.stringify([...keys]),
	};
}
