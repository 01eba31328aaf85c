/** The workflows in examples/ that bring in a list required by law, and that find and delete data of people. */
import type { IDataObject } from 'n8n-workflow';
import { ana, bruno, enter, jsonOf } from '../e2e/examples/example';
import { addRows, rowsOf } from '../e2e/examples/tables';
import { listen } from '../engine/harness/server';
import type { WorkflowJson } from '../../tools/host';
import { columnsOf, describeInPostgres, useConsent } from './consentStores';

const consent = useConsent();
const { host, send, inDatabase } = consent;
/** Nobody of the other tests. */
const dora = '+5511900900001';

describeInPostgres(consent, () => {
	let csv = '';
	let website: Awaited<ReturnType<typeof listen>>;
	beforeAll(async () => {
		website = await listen((_, response) => response.end(csv));
	});
	beforeEach(async () => void (await consent.publish('do-not-contact-postgresql')));
	afterAll(async () => await website.close());

	it('legal-list-postgresql: START does not lift it, and half a file takes nobody off', async () => {
		const legal = await consent.importExample('legal-list-postgresql', (workflow) =>
			enter(workflow, 'Settings', { address: website.url }),
		);
		const listed = async () =>
			columnsOf(await inDatabase('SELECT * FROM do_not_contact'), 'to', 'source');
		const rows = (...numbers: string[]) => numbers.map((each) => `${each} | Não Me Ligue`).sort();
		const more = ['+5541977770001', '+5541977770002'];
		csv = `phone,since\n(11) 91234-5678,2020\n${bruno},2021\n0055${more[0]!.slice(3)},2022\n${more[1]},2023\n`;
		for (let times = 0; times < 2; times++) {
			await legal.execute();
			expect(await listed()).toEqual(rows(ana, bruno, ...more));
		}
		const sent = await send('Hello', [{ to: ana }, { to: '+5531988887777' }]);
		expect(jsonOf(sent, 'Gateway')).toMatchObject([{ skipped: true }, { to: '+5531988887777' }]);

		const reads = await (await consent.importExample('stop-by-reply-postgresql')).publish();
		await host.sandbox.deliver([{ from: ana, text: 'START' }]);
		await reads.runs(1);
		expect(await listed()).toEqual(rows(ana, bruno, ...more));

		csv = `phone,since\n${bruno},2021\n`;
		await legal.execute();
		expect(await listed()).toEqual(rows(ana, bruno, ...more));
		csv = `phone,since\n${bruno},2021\n${more[0]},2021\n${more[1]},2021\n`;
		await legal.execute();
		expect(await listed()).toEqual(rows(bruno, ...more));
	});

	it('a person’s file: what is there is found, and deleted but for what has to stay', async () => {
		const { client } = host;
		await (await consent.importExample('deduplication-postgresql')).publish();
		await inDatabase(
			`CREATE TABLE IF NOT EXISTS messaging_gateway_keys (scope text, key text, recipient text, claim_id text, accepted boolean, claimed_at timestamptz DEFAULT now(), PRIMARY KEY (scope, key));
INSERT INTO messaging_gateway_keys (scope, key, recipient, claimed_at) VALUES ('a', 'old', '${dora}', now() - interval '100 days'), ('a', 'new', '${dora}', now()), ('a', 'other', '${bruno}', now() - interval '100 days');`,
		);
		await send('Hello', [{ to: bruno }]);
		await (await consent.importExample('spread-over-two-hours')).execute(); // creates its table
		await (await consent.importExample('send-log')).execute();
		await addRows(client, 'Send log', [{ number: dora, messageId: 'm-d', outcome: 'accepted' }]);
		await addRows(client, 'Spread list', [{ phone: '(11) 90090-0001', name: 'Dora' }]);
		await consent.publish('permission-to-send');
		await send('Not allowed', [{ to: dora }]);
		await addRows(client, 'Consents', [{ to: dora, what: 'in', source: 'form', at: '2026-01-01' }]);
		await client.updateCredential(host.credential.id, host.sandbox.credential);
		await send('Hello', [{ to: dora }]);

		const find = await consent.importExample('find-persons-file', saved({ number: dora }));
		const [file] = jsonOf(await find.execute(), 'All of It') as [PersonsFile];
		const places = new Set(file.rows.map((row) => row.table));
		expect(places).toEqual(new Set(['Consents', 'Send log', 'Skipped', 'Spread list']));
		expect(file.keys.map(({ key }) => key).sort()).toEqual(['new', 'old']);
		expect(file.sms.length).toBeGreaterThan(0);
		expect(JSON.stringify(file)).not.toContain(bruno.slice(1));

		const number = { number: dora, 'number again': dora };
		const mistyped = saved({ ...number, 'number again': '+5511' });
		const once = await consent.importExample('delete-persons-file', mistyped);
		const refused = await client.waitForExecution(await client.run(once.id));
		expect(refused.error?.message).toContain('Enter the same number twice');
		const all = await consent.importExample('delete-persons-file', saved(number));
		await all.execute();
		const [rest] = jsonOf(await find.execute(), 'All of It') as [PersonsFile];
		expect(new Set(rest.rows.map((row) => row.table))).toEqual(new Set(['Consents']));
		expect(rest.keys.map(({ key }) => key)).toEqual(['new']);
		expect(columnsOf(await inDatabase('SELECT * FROM messaging_gateway_keys'), 'key')).toEqual([
			'new',
			'other',
		]);
		expect((await rowsOf(client, 'Send log')).some(({ number: to }) => to === bruno)).toBe(true);
	});
});

interface PersonsFile extends IDataObject {
	rows: IDataObject[];
	keys: IDataObject[];
	sms: IDataObject[];
}

/** Enters a number, and keeps the executions, so that a test can read them. */
const saved =
	(number: IDataObject) =>
	(workflow: WorkflowJson): void => {
		expect(workflow.settings).toMatchObject({
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
		});
		workflow.settings = { executionOrder: 'v1' };
		enter(workflow, 'Number', number);
	};

it('delete-after-days: old rows of the listed tables, and no others', async () => {
	const { client } = host;
	await (await consent.importExample('send-log')).execute();
	await (await consent.importExample('permission-to-send')).publish();
	await addRows(client, 'Send log', [{ number: ana, sentAt: '2020-01-01T00:00:00.000Z' }]);
	const before = (await rowsOf(client, 'Send log')).length;
	const keep = (await rowsOf(client, 'Consents')).length;
	const set = (days: number, fewest: string) => (workflow: WorkflowJson) => {
		enter(workflow, 'Settings', { days });
		const json = JSON.stringify(workflow.nodes).replace('Math.max(62, ', fewest);
		workflow.nodes = JSON.parse(json) as typeof workflow.nodes;
		workflow.settings = { executionOrder: 'v1' };
	};
	await (await consent.importExample('delete-after-days', set(1, 'Math.max(62, '))).execute();
	expect(await rowsOf(client, 'Send log')).toHaveLength(before);
	await (await consent.importExample('delete-after-days', set(-1, 'Math.max(-1, '))).execute();
	expect(await rowsOf(client, 'Send log')).toEqual([]);
	expect(await rowsOf(client, 'Consents')).toHaveLength(keep);
});
