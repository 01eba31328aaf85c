import type { IDataObject } from 'n8n-workflow';

interface Row {
	to: unknown;
	claimId: unknown;
	accepted?: true;
}

/** A deduplication workflow with a table that claims a key in one step: docs/internals/deduplication.md. */
export function keysInWorkflow() {
	const rows = new Map<string, Row>();
	const carryOut = ({ action, scope, key, to, claimId }: IDataObject): IDataObject[] => {
		const name = `${String(scope)} ${String(key)}`;
		const row = rows.get(name);
		if (action === 'accept' && row) row.accepted = true;
		if (action === 'release' && row?.claimId === claimId) rows.delete(name);
		if (action === 'claim' && !row) rows.set(name, { to, claimId });
		if (action !== 'claim' && action !== 'read') return [];
		const isFresh = !row || (action === 'claim' && row.claimId === claimId && !row.accepted);
		if (isFresh) return [{ key, state: 'fresh' }];
		return [{ key, state: row.accepted ? 'accepted' : 'unanswered', to: row.to } as IDataObject];
	};
	const subWorkflow = async (inputs: IDataObject[]) => inputs.flatMap(carryOut);
	return { rows, subWorkflow, dump: () => JSON.stringify([...rows]) };
}
