/** Where the workflows about consent keep their rows, and an account that asks one of them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { outputOf, type CredentialReference, type FinishedExecution } from '../../tools/host';
import { chain, items, node } from '../../tools/shared/workflows';
import { Example } from '../e2e/examples/example';
import { addRows, rowsOf } from '../e2e/examples/tables';
import { describeWhereInstalled } from '../e2e/queueMode/describe';
import { useOwnHost } from '../e2e/sharedHost';
import { smsToEach } from '../e2e/support/workflows';
import { useDatabase } from './database';
import { useMailServer } from './mailServer';

export const table = 'Do not contact';

export interface Store {
	file: string;
	replies: string;
	/** Adds rows that a person enters by hand. */
	add(numbers: string[]): Promise<unknown>;
	rows(table: 'Do not contact' | 'Consents' | 'To review'): Promise<IDataObject[]>;
}

/** The columns of rows, e.g. `99876 | form`, sorted. */
export const columnsOf = (rows: IDataObject[], ...columns: string[]) =>
	rows.map((row) => columns.map((each) => row[each] ?? '').join(' | ')).sort();

/** n8n, a service, a mail server, and what the examples need. @param env added to n8n's environment */
export function useConsent(env?: Record<string, string>) {
	const host = useOwnHost(env);
	const mail = useMailServer();

	/** Of the database, where there is one. */
	const credentials: Record<string, CredentialReference> = {};

	async function importExample(
		file: string,
		set?: Parameters<typeof Example.import>[3],
		more: Record<string, CredentialReference> = {},
	): Promise<Example> {
		const { client, credential: messagingGatewayApi } = host;
		const smtp = await client.createCredential(mail.access, 'smtp');
		const all = { messagingGatewayApi, smtp, ...credentials, ...more };
		return await Example.import(client, file, all, set);
	}

	/** Publishes an example that the account, which it uses itself, asks from then on. */
	async function publish(
		file: string,
		set?: Parameters<typeof Example.import>[3],
	): Promise<Example> {
		const { client, sandbox, credential } = host;
		const example = await importExample(file, set);
		await example.publish();
		const rules = { doNotContactWorkflowId: example.id, allowedCountries: 'BR' };
		await client.updateCredential(credential.id, { ...sandbox.credential, ...rules });
		return example;
	}

	/** Sends to all of them. @param name of the workflow, and the text */
	async function send(
		name: string,
		rows: IDataObject[],
		parameters: INodeParameters = {},
	): Promise<FinishedExecution> {
		const sends = smsToEach(host.credential, { text: name, ...parameters });
		return await host.client.execute(chain(name, ...items(...rows), sends));
	}

	async function inDatabase(query: string): Promise<IDataObject[]> {
		const parameters = { operation: 'executeQuery', query, options: {} };
		const more = { typeVersion: 2.6, credentials };
		const asks = node('Database', 'n8n-nodes-base.postgres', parameters, more);
		const ended = await host.client.execute(chain('Database', asks));
		return outputOf(ended, 'Database').map(({ json }) => json);
	}

	const dataTable: Store = {
		file: 'do-not-contact-data-table',
		replies: 'stop-by-reply',
		async add(numbers) {
			const entered = numbers.map((number) => ({ number }));
			await addRows(host.client, table, entered);
		},
		rows: async (name) => await rowsOf(host.client, name),
	};

	const inPostgres: Store = {
		file: 'do-not-contact-postgresql',
		replies: 'stop-by-reply-postgresql',
		add: async (numbers) =>
			await inDatabase(
				`INSERT INTO do_not_contact (number) VALUES ${numbers.map((each) => `('${each}')`).join()}`,
			),
		rows: async (name) =>
			await inDatabase(`SELECT * FROM ${name.toLowerCase().replaceAll(' ', '_')}`),
	};

	return {
		host,
		mail,
		credentials,
		importExample,
		publish,
		send,
		inDatabase,
		dataTable,
		inPostgres,
	};
}

/** Tests with a database of their own, whose credential the examples get. */
export const describeInPostgres = (
	{ credentials, host }: Pick<ReturnType<typeof useConsent>, 'credentials' | 'host'>,
	tests: (database: ReturnType<typeof useDatabase>) => void,
) =>
	describeWhereInstalled('in PostgreSQL', () => {
		const database = useDatabase('postgres');
		beforeAll(async () => {
			credentials.postgres = await host.client.createCredential(database.access, 'postgres');
		});
		tests(database);
	});
