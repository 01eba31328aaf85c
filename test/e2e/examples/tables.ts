/** n8n's Data Tables, read and changed by n8n's own node. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { outputOf, type HostClient } from '../../../tools/host';
import { chain, node } from '../../../tools/shared/workflows';

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

/** As a person enters it by hand. */
export async function addRow(
	client: HostClient,
	table: string,
	value: Record<string, string>,
): Promise<void> {
	const columns = { mappingMode: 'defineBelow', value };
	expect(await inTable(client, table, { operation: 'insert', columns })).toHaveLength(1);
}

async function inTable(
	client: HostClient,
	name: string,
	parameters: INodeParameters,
): Promise<IDataObject[]> {
	const dataTableId = { __rl: true, mode: 'name', value: name };
	const rows = node(
		'Rows',
		'n8n-nodes-base.dataTable',
		{ resource: 'row', dataTableId, ...parameters },
		{ typeVersion: 1.1 },
	);
	const ended = await client.execute(chain(`Rows of ${name}`, rows));
	const message = ended.error?.message;
	if (message && !message.includes('not found')) throw new Error(message);
	return outputOf(ended, 'Rows').map(({ json }) => json);
}
