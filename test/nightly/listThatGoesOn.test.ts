/** A list that pauses and goes on: through an outage, a kill and rounds at the same time, nobody twice. */
import { until } from '../../tools/host/until';
import { runningClock } from '../e2e/environment';
import { ana, bruno, carla, Example, parametersOf, useExamples } from '../e2e/examples/example';
import { changeRows, rowsOf } from '../e2e/examples/tables';
import { useOwnHost } from '../e2e/sharedHost';
import { numbered } from '../e2e/support/workflows';

const table = 'List that goes on';
const count = 300;

const own = useOwnHost(runningClock);

it('list-that-goes-on: an outage of two rounds, n8n killed in one, rounds at once: nobody twice', async () => {
	const host = own;
	const { sandbox } = own;
	const account = { ...sandbox.credential, maxConcurrency: 3 };
	const credential = await host.client.createCredential(account);
	const people = numbered(count).map(({ to }, index) => ({
		...{ contact: `C-${index}`, phone: to, name: 'Ana' },
	}));
	const example = await Example.import(
		host.client,
		'list-that-goes-on',
		{ messagingGatewayApi: credential },
		(workflow) => {
			parametersOf(workflow, 'Sample List').jsonOutput = JSON.stringify({ people });
			const interval = [{ field: 'seconds', secondsInterval: 15 }];
			parametersOf(workflow, 'Every Ten Minutes').rule = { interval };
		},
	);
	const sent = () => sandbox.accepted().length;
	const open = async () => (await rowsOf(host.client, table)).filter((row) => !row.outcome);
	const rounds = async () => await host.client.executions(example.id);
	const ended = async () => (await rounds()).filter(({ status }) => status === 'success').length;

	sandbox.fault({ operation: 'sendSms', skip: 40, fault: { status: 502 } });
	const first = await example.execute();
	expect(sent()).toBe(40);
	expect((await open()).length).toBeGreaterThan(count / 2);
	for (const { why } of await open()) expect(why).toContain('was not tried');
	expect(first.status).toBe('success');
	await example.publish();
	await until('two rounds end in the outage', async () => (await ended()) >= 3);
	expect(sent()).toBe(40);

	sandbox.clearFaults();
	sandbox.fault({ operation: 'sendSms', fault: { delayMs: 400 } });
	await until('two rounds send at once', async () => {
		const running = (await rounds()).filter(({ status }) => status === 'running');
		return running.length > 1 && sent() > 80;
	});
	await host.kill();
	expect(sent()).toBeLessThan(count / 2);
	await host.startAgain();
	await until('nobody waits', async () => (await open()).length === 0, { limit: 300_000 });

	const rows = await rowsOf(host.client, table);
	expect(rows).toHaveLength(count);
	const times = rows.map(({ phone, outcome }) => {
		const accepted = sandbox.timesAccepted({ to: String(phone) });
		return `${accepted} ${outcome}`;
	});
	// What left before an answer was recorded is in doubt, and said to be.
	for (const each of times) expect(each).toMatch(/^(1 sent|[01] unknown)$/);
	expect(times.filter((each) => each === '1 sent').length).toBeGreaterThan(count / 2);
});

const { host, importExample, rows } = useExamples();

it('list-that-goes-on: through the chat app, once it is connected; a wrong number, once it is corrected', async () => {
	const { sandbox } = host;
	sandbox.instance.connected = false;
	const example = await importExample('list-that-goes-on', (workflow) => {
		const send = parametersOf(workflow, 'Send SMS');
		const media = {
			operation: 'sendMedia',
			caption: send.text,
			mediaUrl: 'https://example.com/a.jpg',
		};
		Object.assign(send, media);
	});
	const waiting = async () => (await rows(table)).filter((row) => !row.outcome).length;
	await example.execute();
	await example.execute('Every Ten Minutes');
	expect(await waiting()).toBe(3);
	await changeRows(host.client, table, ['contact', 'C-1002'], { phone: '99876' });
	sandbox.instance.connected = true;
	sandbox.fault({ operation: 'sendMedia', to: carla, times: 1, fault: { refuse: 'Sem saldo.' } });
	await example.execute('Every Ten Minutes');
	await example.execute('Every Ten Minutes');
	expect(await waiting()).toBe(1);
	await changeRows(host.client, table, ['contact', 'C-1002'], { phone: bruno });
	await example.execute('Every Ten Minutes');
	await example.execute('Every Ten Minutes');
	expect(sandbox.accepted().map(({ to }) => to)).toEqual([ana, bruno]);
	const outcomes = (await rows(table)).map(({ outcome, why }) => `${outcome} ${why}`.trim());
	expect(outcomes).toEqual(['sent', 'sent', expect.stringMatching(/^refused .*Sem saldo/)]);
});
