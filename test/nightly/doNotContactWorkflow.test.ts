/** The workflows in examples/ that an account asks whether somebody may be contacted. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { outputOf, type CredentialReference, type FinishedExecution } from '../../tools/host';
import { chain, items, node } from '../../tools/shared/workflows';
import { describeWhereInstalled } from '../e2e/queueMode/describe';
import { ana, bruno, carla, Example, jsonOf } from '../e2e/examples/example';
import { nextPage } from '../e2e/examples/nextPage';
import { addRows, rowsOf } from '../e2e/examples/tables';
import { useHost } from '../e2e/sharedHost';
import { numbered, smsToEach } from '../e2e/support/workflows';
import { useDatabase } from './database';

const host = useHost();
let postgres: CredentialReference;

/** Publishes an example that the account, which it uses itself, asks from then on. */
async function publish(file: string, set?: Parameters<typeof Example.import>[3]) {
	const { client, sandbox, credential: messagingGatewayApi } = host;
	const example = await Example.import(client, file, { messagingGatewayApi, postgres }, set);
	await example.publish();
	const rules = { doNotContactWorkflowId: example.id, allowedCountries: 'BR' };
	await client.updateCredential(messagingGatewayApi.id, { ...sandbox.credential, ...rules });
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

interface Store {
	file: string;
	replies: string;
	/** Adds rows that a person enters by hand. */
	add(numbers: string[]): Promise<unknown>;
	rows(): Promise<IDataObject[]>;
	/** How many there are of a number that was entered in two ways. */
	ofTwoWays: number;
}

async function inDatabase(query: string): Promise<IDataObject[]> {
	const parameters = { operation: 'executeQuery', query, options: {} };
	const more = { typeVersion: 2.6, credentials: { postgres } };
	const asks = node('Database', 'n8n-nodes-base.postgres', parameters, more);
	const ended = await host.client.execute(chain('Database', asks));
	return outputOf(ended, 'Database').map(({ json }) => json);
}

const table = 'Do not contact';
const dataTable: Store = {
	file: 'do-not-contact-data-table',
	replies: 'stop-by-reply',
	async add(numbers) {
		const entered = numbers.map((number) => ({ number }));
		await addRows(host.client, table, entered);
	},
	rows: async () => await rowsOf(host.client, table),
	ofTwoWays: 1,
};
const inPostgres: Store = {
	file: 'do-not-contact-postgresql',
	replies: 'stop-by-reply-postgresql',
	add: async (numbers) =>
		await inDatabase(
			`INSERT INTO do_not_contact (number) VALUES ${numbers.map((each) => `('${each}')`).join()}`,
		),
	rows: async () => await inDatabase('SELECT number, "to", source, words FROM do_not_contact'),
	ofTwoWays: 2,
};

async function stopsWho({ file, replies, add, rows, ofTwoWays }: Store): Promise<void> {
	const { client, sandbox, url, credential: messagingGatewayApi } = host;
	const example = await publish(file);
	const everybody = [{ to: ana }, { to: bruno }, { to: carla }];
	const sendAll = async (text: string) => jsonOf(await send(text, everybody), 'Gateway');
	const listed = async () =>
		(await rows())
			.map(({ number, to, source, words }) =>
				[number, to, source, words].map((each) => each ?? '').join(' | '),
			)
			.sort();
	const expectListed = async (...expected: string[]) =>
		expect(await listed()).toEqual(expected.sort());
	const blocked = { skipped: true, reason: 'doNotContact' };
	expect(await sendAll('Before')).toMatchObject(everybody);

	const stop = async (number: string) => (await nextPage(url, example, 'STOP Form', number)).html;
	expect(await stop('+55 (21) 99876-5432')).toContain('We send you no more messages.');
	await stop(bruno); // again, by the account whose list has him
	expect(await stop('99876')).toContain('Please enter your number again');
	// One that the account sends to at no time, or not now, can be entered all the same.
	expect(await stop('+1 202 555 0143')).toContain('We send you no more messages.');
	await add(['0055 31 98888-7777', 'Carla']);
	expect(await sendAll('After')).toMatchObject([{ to: ana }, blocked, blocked]);
	const byOffice = [
		'99876 | to review | form | ',
		'+1 202 555 0143 | +12025550143 | form | ',
		`0055 31 98888-7777 | ${carla} |  | `,
		'Carla | to review |  | ',
	];
	const entered = (await listed()).filter((row) => row.endsWith(` | ${bruno} | form | `));
	expect(entered).toHaveLength(ofTwoWays);
	await expectListed(...entered, ...byOffice);

	const reads = await Example.import(client, replies, { messagingGatewayApi, postgres });
	await reads.publish();
	const stops = ['stop', 'SAIR.', 'párar', '¡Cancelar!', 'Baja'];
	await sandbox.deliver([
		{ from: `${ana}@example`, text: ' Párar!' },
		{ from: bruno, text: 'Voltar.' },
		{ from: carla, text: 'START' }, // a number that the office entered stays on the list
		{ from: '99876-5432', text: 'baja' },
		{ from: '555181234567@c.us', text: 'Stop' }, // as a chat app keeps +55 51 98123-4567
		{ from: '+5551991234567', text: 'Obrigado, please do not stop' },
		{ from: '+5551991234567', text: 'obrigado' },
		...stops.map((text, index) => ({ from: `551190030000${index}`, text })),
		{ messageId: 'm-1', to: '+5551991234567', status: 'delivered' },
	]);
	await reads.runs(1);
	await expectListed(
		...byOffice,
		'99876-5432 | to review | reply | baja',
		'555181234567@c.us | +5551981234567 | reply | Stop',
		`${ana}@example | ${ana} | reply |  Párar!`,
		...stops.map((text, i) => `551190030000${i} | +551190030000${i} | reply | ${text}`),
	);
	expect(await sendAll('Then')).toMatchObject([blocked, { to: bruno }, blocked]);
	expect(sandbox.accepted()).toHaveLength(5); // 3, 1 and 1
	await example.unpublish(); // so that the list does not answer
	await sandbox.deliver({ from: bruno, text: 'STOP' });
	await reads.runs(2);
	expect(await listed()).toContain(`${bruno} | ${bruno} | reply | STOP`);
	await reads.unpublish();
}

it('who wrote STOP gets no more: in a Data Table', async () => await stopsWho(dataTable));

describeWhereInstalled('in PostgreSQL', () => {
	const database = useDatabase('postgres');
	beforeAll(async () => {
		postgres = await host.client.createCredential(database.access, 'postgres');
	});

	it('who wrote STOP gets no more', async () => await stopsWho(inPostgres));

	it('12 segments a day: of several executions at once, and not those of a dry run', async () => {
		await publish('limit-per-day-postgresql', ({ nodes }) => {
			const limits = nodes.find(({ name }) => name === 'Limits')!;
			const { assignments } = limits.parameters.assignments as { assignments: IDataObject[] };
			const most: Record<string, number> = { perDay: 12, perMonth: 20 };
			for (const each of assignments) each.value = most[String(each.name)] ?? each.value!;
		});
		let count = 1;
		const segments = async (texts: string[], options: INodeParameters = {}) => {
			const rows = texts.map((text) => ({ to: `+55119${10_000_000 + count++}`, text }));
			const ended = await send('Limited', rows, { text: '={{ $json.text }}', options });
			return jsonOf(ended, 'Gateway').map((json) => (json.skipped ? '-' : json.segments));
		};
		const long = 'x'.repeat(200); // two segments
		expect(await segments([long, 'short'], { dryRun: true })).toEqual([2, 1]);
		const three = [long, long, long];
		const sent = await Promise.all([segments(three), segments(three), segments(three)]);
		expect(sent.flat().sort()).toEqual(['-', '-', '-', 2, 2, 2, 2, 2, 2]); // 12 of 18
		expect(host.sandbox.accepted()).toHaveLength(6);
		expect(await segments(['short'])).toEqual(['-']);
		expect(await segments(['short'], { dryRun: true })).toEqual(['-']);
	});
});

it('permission-to-send: marketing goes to who opted in, and three times a week at most', async () => {
	const { client, sandbox } = host;
	const everybody = numbered(4, 5511900200001);
	const [willing, full, unasked, stopped] = everybody.map(({ to }) => to);
	const example = await publish('permission-to-send');
	const texted = async (name: string) => {
		await send(name, everybody);
		return sandbox
			.accepted({ text: name })
			.map(({ to }) => to)
			.sort();
	};
	expect(await texted('Appointments')).toEqual([willing, full, unasked, stopped]);
	expect(await texted('Marketing: first')).toEqual([]);

	const optedIn = [willing!, full!, stopped!].map((number) => ({ number }));
	await addRows(client, 'Opted in', optedIn);
	await addRows(client, table, [{ number: stopped!, to: stopped! }]);
	const log = async (number: string, ...sent: IDataObject[]) => {
		const row = { number, sentAt: new Date().toISOString(), outcome: 'accepted' };
		const all = sent.map((each) => ({ ...row, ...each }));
		await addRows(client, 'Send log', all);
	};
	await log(full!, {}, { outcome: 'unknown' }, {});
	await log(willing!, {}, {}, { outcome: 'refused' }, { sentAt: '2020-01-01T12:00:00.000Z' });
	expect(await texted('Marketing: second')).toEqual([willing]);
	expect(await texted('Reminders')).toEqual([willing, full, unasked]);
	await log(willing!, {});
	expect(await texted('Marketing: third')).toEqual([]);
	await example.unpublish();
});
