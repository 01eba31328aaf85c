/** n8n's Data Tables, read and changed by n8n's own node. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { outputOf, type HostClient } from '../../../tools/host';
import { chain, items, node } from '../../../tools/shared/workflows';

/** Oldest first; none where there is no such table yet. */
export const rowsOf = async (client: HostClient, table: string): Promise<IDataObject[]> =>
	await inTable(client, table, {
		operation: 'get',
		returnAll: true,
		orderBy: true,
		orderByColumn: 'id',
		orderByDirection: 'ASC',
	});

/** Sets columns of the rows that have a value in another one. */
export async function changeRows(
	client: HostClient,
	table: string,
	[keyName, keyValue]: [string, string],
	value: Record<string, string>,
): Promise<void> {
	const rows = await inTable(client, table, {
		operation: 'update',
		filters: { conditions: [{ keyName, condition: 'eq', keyValue }] },
		columns: { mappingMode: 'defineBelow', value },
	});
	expect(rows).toHaveLength(1);
}

/** Adds rows that a person enters by hand. */
export async function addRows(
	client: HostClient,
	table: string,
	rows: IDataObject[],
): Promise<void> {
	const columns = { mappingMode: 'autoMapInputData' };
	const added = await inTable(client, table, { operation: 'insert', columns }, items(...rows));
	expect(added).toHaveLength(rows.length);
}

async function inTable(
	client: HostClient,
	name: string,
	parameters: INodeParameters,
	before: ReturnType<typeof items> = [],
): Promise<IDataObject[]> {
	const dataTableId = { __rl: true, mode: 'name', value: name };
	const rows = node(
		'Table',
		'n8n-nodes-base.dataTable',
		{ resource: 'row', dataTableId, ...parameters },
		{ typeVersion: 1.1 },
	);
	const ended = await client.execute(chain(`Rows of ${name}`, ...before, rows));
	const message = ended.error?.message;
	if (message && !message.includes('not found')) throw new Error(message);
	return outputOf(ended, 'Table').map(({ json }) => json);
}
