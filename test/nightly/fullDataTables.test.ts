/** n8n's Data Tables when they are full: a person hears of each STOP, and nobody is sent to. */
import type { FinishedExecution } from '../../tools/host';
import { until } from '../../tools/host/until';
import { chain, items } from '../../tools/shared/workflows';
import { ana, bruno, jsonOf } from '../e2e/examples/example';
import { addRows, rowsOf } from '../e2e/examples/tables';
import { smsToEach } from '../e2e/support/workflows';
import { table, useConsent } from './consentStores';

const { host, mail, importExample } = useConsent({
	N8N_DATA_TABLES_MAX_SIZE_BYTES: '300000',
	N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
});

it('while a STOP cannot be stored, a colleague has an e-mail, and nobody is sent to', async () => {
	const { client, sandbox, credential } = host;
	const importPublished = async (file: string) => await (await importExample(file)).publish();
	const lists = [
		await importPublished('do-not-contact-data-table'),
		await importPublished('permission-to-send'),
	];
	await importPublished('stop-by-reply');
	const sends = smsToEach(credential, { text: 'Your code is 4711.' });
	const codes = await client.createWorkflow(chain('Codes', ...items({ to: ana }), sends));
	/** By each list. */
	const send = async () => {
		const ended: FinishedExecution[] = [];
		for (const { id } of lists) {
			const rules = { doNotContactWorkflowId: id };
			await client.updateCredential(credential.id, { ...sandbox.credential, ...rules });
			ended.push(await client.waitForExecution(await client.run(codes)));
		}
		return ended;
	};
	await send(); // creates the tables
	await addRows(client, 'Service workflows', [{ workflow: codes, name: 'Codes', by: 'Ana' }]);
	const before = await send();
	expect(before.map((each) => jsonOf(each, 'Gateway'))).toMatchObject([
		[{ to: ana }],
		[{ to: ana }],
	]);
	const sent = sandbox.accepted().length;

	const row = { number: '0', to: '0', words: 'x'.repeat(4000) };
	const fill = async () => {
		for (let times = 0; times < 100; times++) await addRows(client, table, Array(20).fill(row));
	};
	await expect(fill()).rejects.toThrow('size limit exceeded');
	await sandbox.deliver({ from: bruno.slice(1), text: 'STOP' });
	await until('a colleague is told', () => mail.received.length > 0);
	const [letter] = mail.received;
	expect(letter).toContain('Subject: n8n: STOP by reply failed');
	expect(letter).toMatch(/A reply may not have been stored: .*size limit exceeded/s);
	expect((await rowsOf(client, table)).map(({ to }) => to)).not.toContain(bruno);
	for (const { status } of await send()) expect(status).toBe('error');
	expect(sandbox.accepted()).toHaveLength(sent);
});
