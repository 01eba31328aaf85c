/** The list in PostgreSQL: while its database is away, and when it is long. */
import { readExample } from '../../tools/host/examples';
import { until } from '../../tools/host/until';
import { rowsOf } from '../e2e/examples/tables';
import { numbered } from '../e2e/support/workflows';
import { table, describeInPostgres, useConsent } from './consentStores';

const consent = useConsent();
const { host, publish, send, inDatabase, inPostgres } = consent;

describeInPostgres(consent, (database) => {
	it.each([
		['that the account asks', 5511900600001],
		['that it does not ask, so that nothing waits for it', 5511900610001],
	])('of 200 replies, no STOP is lost while a list %s is away a minute', async (asked, first) => {
		const { client, sandbox, credential } = host;
		await publish(inPostgres.file);
		const isAsked = asked === 'that the account asks';
		if (!isAsked) await client.updateCredential(credential.id, sandbox.credential);
		const reads = await consent.importExample(inPostgres.replies);
		await reads.publish();
		const people = numbered(200, first).map(({ to }) => String(to));
		const deliver = async (from: number, until: number) => {
			for (const to of people.slice(from, until))
				await sandbox.deliver({ from: to.slice(1), text: 'STOP' });
		};
		await deliver(0, 50);
		await database.server.kill();
		const isBack = new Promise((resolve) => setTimeout(resolve, 60_000)).then(
			async () => await database.server.restart(),
		);
		await deliver(50, 150);
		await isBack;
		await deliver(150, 200);
		const started = async () => await client.executions(reads.id);
		await until(
			'all replies have been read',
			async () => (await started()).length >= people.length,
		);
		const ended = async () =>
			(await started()).every(({ status }) => status !== 'running' && status !== 'new');
		await until('all have ended', ended);
		const failed = (await started()).filter(({ status }) => status !== 'success');
		expect(failed).toEqual([]);

		const kept = await rowsOf(client, 'Replies not stored');
		if (!isAsked) expect(kept.length).toBeGreaterThan(20);
		await reads.execute('Every 5 Minutes');
		const listed = (await inPostgres.rows(table)).map(({ to }) => String(to));
		expect(listed.filter((to) => people.includes(to)).sort()).toEqual(people);
		expect(await rowsOf(client, 'Replies not stored')).toEqual([]);
		const evidence = await inPostgres.rows('Consents');
		const at = new Map(evidence.map((row) => [row.to, String(row.at)]));
		for (const { to, at: receivedAt } of kept)
			expect(Date.parse(at.get(to)!)).toBe(Date.parse(String(receivedAt)));
		const confirmed = sandbox.accepted().map(({ to }) => to);
		expect(confirmed.filter((to, index) => confirmed.indexOf(to) !== index)).toEqual([]);
		expect(confirmed.length).toBeGreaterThan(150);
	});

	it('a check reads a long list by its indexes', async () => {
		await publish(inPostgres.file);
		await send('Check', numbered(1), { options: { dryRun: true } }); // creates the tables
		await inDatabase(
			`INSERT INTO do_not_contact (number, "to", source) SELECT '+' || n, '+' || n, 'reply' FROM generate_series(5521900000001, 5521900100000) AS n;
ANALYZE do_not_contact;`,
		);
		const { nodes } = readExample(inPostgres.file);
		for (const name of ['Answer', 'Entered by Hand']) {
			const { query } = nodes.find((node) => node.name === name)!.parameters as { query: string };
			const asked = `'[{ "to": "+5511900700001" }]'`;
			const plan = await inDatabase(`EXPLAIN ${query.replace('$1', asked)}`);
			expect(JSON.stringify(plan)).toContain('do_not_contact_');
			expect(JSON.stringify(plan)).not.toContain('Seq Scan on do_not_contact');
		}
	});
});
