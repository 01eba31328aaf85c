/**
 * The workflows in examples/ that a clock starts, published in a real n8n whose clock is told to go on. n8n
 * starts a schedule once for each time that it was set for, so that more runs are started by hand.
 */
import type { IDataObject } from 'n8n-workflow';
import { until } from '../../tools/host/until';
import { SEEDS } from '../../tools/sandbox';
import {
	ana,
	bruno,
	carla,
	jsonOf,
	parametersOf,
	useExamples,
	windowsOf,
	type Example,
} from '../e2e/examples/example';
import { changeRows } from '../e2e/examples/tables';
import { polls, ticking } from '../e2e/statusTrigger/workflow';
import { answer, linksTo } from '../e2e/wait/question';

const [accepted, lost, never] = [ana, bruno, carla] as const;

const { host, importExample, rows, texts } = useExamples();

/** Lets the clock go on until it has been started so often, and has ended without an error each time. */
async function runs(example: Example, count: number) {
	await ticking(host, `it has run ${count} times`, async () => {
		return (await host.client.executions(example.id)).length >= count;
	});
	return await example.runs(count);
}

it('spread-over-two-hours: evenly, and once a day per person', async () => {
	const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
	const more = [
		{ name: 'Ana, again', phone: '0055 (11) 91234-5678' },
		{ name: 'Elisa', phone: '+883 5100 12345678' }, // of no country
	];
	const example = await importExample('spread-over-two-hours', (workflow) => {
		windowsOf(workflow, 'Send SMS').splice(0, Infinity, { from: '00:00', to: '24:00', days });
		const list = parametersOf(workflow, 'Sample List');
		const { people } = JSON.parse(String(list.jsonOutput)) as { people: IDataObject[] };
		list.jsonOutput = JSON.stringify({ people: [...people, ...more] });
	});
	await example.publish();
	await runs(example, 1);
	await example.unpublish();
	await example.execute();
	await example.execute('Every Morning');
	expect(texts().sort()).toEqual(
		['Ana', 'Bruno', 'Carla', 'Davi'].map(
			(name) => `Acme: Hello ${name}, our spring sale begins today. Reply STOP to opt out.`,
		),
	);
	const saved = await rows('Spread list');
	// The first one's time has passed when it leaves.
	const leaving = saved.flatMap(({ leaves }) => String(leaves ?? '') || []).sort();
	expect(leaving.slice(3)).toEqual(['at once']);
	const [second, third, fourth] = leaving.map((time) => Date.parse(time));
	// Of six people, each has 20 minutes; n8n reads the clock for each.
	const minutes = [third! - second!, fourth! - third!].map((ms) => Math.round(ms / 60_000));
	expect(minutes).toEqual([20, 20]);
	const others = saved.filter(({ leaves }) => !leaves);
	expect(others).toMatchObject([{ name: 'Elisa', reason: expect.stringContaining('satellite') }]);
});

it('spread-over-two-hours: hours are those where the person lives, and 51 is no number of Peru', async () => {
	const example = await importExample('spread-over-two-hours', (workflow) => {
		const people = ['51 99876-5432', '+51 912 345 678'].map((phone) => ({ name: 'Elisa', phone }));
		parametersOf(workflow, 'Sample List').jsonOutput = JSON.stringify({ people });
		const options = parametersOf<{ options: IDataObject }>(workflow, 'Send SMS').options;
		options.dryRun = true;
	});
	const ended = await example.execute();
	const zones = jsonOf(ended, 'Send SMS').map(({ timezone }) => timezone);
	expect(zones).toEqual(['America/Sao_Paulo', 'America/Lima']);
});

it('campaign-report-to-table: a row and an SMS per day', async () => {
	const example = await (await importExample('campaign-report-to-table')).publish();
	await runs(example, 1);
	await example.unpublish();
	await example.execute();
	await example.execute('Every Morning');
	expect(texts()).toEqual(['Boas-vindas: 4 of 6 delivered (66.67 %), 1 failed, 0 waiting.']);
	expect(await rows('Campaign figures')).toMatchObject([
		{ campaign: 'Boas-vindas', total: 6, queued: 0, delivered: 4, errors: 1, deliveryRate: 66.67 },
	]);
});

it('campaign-status-to-row: a row per message, with its latest status', async () => {
	const campaignId = SEEDS.campaigns.sms.running;
	const set = (statuses: Record<string, 'queued' | 'sent' | 'delivered'>) =>
		host.sandbox.setCampaign({
			channel: 'sms',
			campaignId,
			nome: 'Single sends',
			messages: Object.entries(statuses).map(([messageId, status]) => ({
				messageId,
				status,
				to: ana,
			})),
		});
	set({ a: 'queued', b: 'queued' });
	const example = await (await importExample('campaign-status-to-row')).publish();
	set({ a: 'sent', b: 'queued' });
	await runs(example, 1);
	set({ a: 'delivered', b: 'sent' });
	await runs(example, 2);
	await polls(host, host.sandbox, 2);
	await example.unpublish();
	expect(await runs(example, 2)).toHaveLength(2);
	expect(await rows('Message statuses')).toMatchObject([
		{ messageId: 'a', status: 'delivered', before: 'sent', to: ana, campaign: 'Single sends' },
		{ messageId: 'b', status: 'sent', before: 'queued' },
	]);
});

it('disconnected-instance-alert: one alert, one all-clear', async () => {
	await (await importExample('disconnected-instance-alert')).publish();
	await polls(host, host.sandbox, 1);
	host.sandbox.instance.connected = false;
	await ticking(host, 'the alert has come', () => texts().length > 0);
	await polls(host, host.sandbox, 3);
	expect(texts()).toEqual([expect.stringMatching(/^The chat app is disconnected \(noticed at/)]);
	host.sandbox.instance.connected = true;
	await ticking(host, 'the all-clear has come', () => texts().length > 1);
	await polls(host, host.sandbox, 3);
	expect(texts().slice(1)).toEqual([expect.stringMatching(/^The chat app is connected again/)]);
	expect(host.sandbox.accepted({ to: ana, channel: 'sms' })).toHaveLength(2);
});

it('not-delivered-alert: a colleague gets one SMS about what did not arrive', async () => {
	const lost = '+5531988880000';
	host.sandbox.fault({ to: bruno, fault: { refuse: 'Número bloqueado.' } });
	const example = await importExample('not-delivered-alert', (workflow) => {
		Object.assign(parametersOf(workflow, 'Ten Minutes'), { amount: 5, unit: 'seconds' });
	});
	const ended = example.execute();
	await until('all are sent', () => host.sandbox.accepted({ to: lost }).length > 0);
	await host.sandbox.advance();
	await host.sandbox.advance();
	await ended;
	const told = host.sandbox.accepted().filter(({ text }) => text.startsWith('Not delivered'));
	expect(told.map(({ to, text }) => `${to} ${text}`).sort()).toEqual([
		`${ana} Not delivered: 4712 (not sent)`,
		`${ana} Not delivered: 4713 (error)`,
	]);
	expect(host.sandbox.requests({ operation: 'getSmsCampaign' })).toHaveLength(1);

	await example.execute();
	expect(host.sandbox.accepted({ to: lost })).toHaveLength(1);
});

it('send-log: a row per SMS with its latest status, totals per country, and an alert', async () => {
	const example = await importExample('send-log', ({ nodes }) => {
		const month = nodes.find(({ name }) => name === 'Month of Yesterday')!;
		const text = JSON.stringify(month.parameters).replace('.minus({ days: 1 })', '');
		month.parameters = JSON.parse(text) as typeof month.parameters;
	});
	const log = async () =>
		(await rows('Send log'))
			.filter(({ execution }) => execution)
			.map((row) =>
				['number', 'country', 'segments', 'outcome', 'status'].map((key) => row[key]).join(' '),
			);
	await example.publish();
	await polls(host, host.sandbox, 1);
	await example.execute();
	expect(texts()).toHaveLength(3);
	host.sandbox.fault({ to: lost, fault: { reset: 'afterAccept' } });
	const { id } = await example.execute();
	expect(texts()).toHaveLength(7);
	expect(texts().at(-1)).toBe(
		`1 of 3 SMS were not accepted. See the table Send log, execution ${id}.`,
	);
	await host.sandbox.advance();
	const first = [`${ana} BR 1 accepted sent`, '+351912345678 PT 1 accepted sent'];
	await ticking(host, 'the statuses are there', async () => {
		return (await log()).filter((row) => row.endsWith(' sent')).length === 5;
	});
	await example.unpublish();
	const second = [...first, `${lost} BR 1 unknown `];
	expect((await log()).sort()).toEqual([...first, `${lost} BR 1 accepted sent`, ...second].sort());

	await example.execute('Every Morning');
	await example.execute('Every Morning');
	const totals = (await rows('Monthly totals')).map(
		({ country, messages, segments }) => `${country} ${messages} ${segments}`,
	);
	expect(totals.sort()).toEqual(['BR 4 4', 'PT 2 2']);
});

it('chat-app-then-sms: an SMS only where the chat message was refused or did not arrive', async () => {
	const late = '+5531988880000';
	const orders = [accepted, lost, late, never].map((phone) => ({ orderId: phone, phone }));
	const operation = 'sendMedia';
	host.sandbox.fault({ operation, to: lost, fault: { refuse: 'Instância desconectada.' } });
	host.sandbox.fault({ operation, to: never, fault: { status: 502 } });
	const example = await importExample('chat-app-then-sms', (workflow) => {
		parametersOf(workflow, 'Sample Orders').jsonOutput = JSON.stringify({ orders });
		Object.assign(parametersOf(workflow, 'Ten Minutes'), { amount: 3, unit: 'seconds' });
	});
	const sms = () => host.sandbox.accepted({ channel: 'sms' }).map(({ to }) => to);
	const ended = example.execute();
	await until('all are sent', () => host.sandbox.accepted({ channel: 'chatApp' }).length === 2);
	await host.sandbox.advance();
	await host.sandbox.advance();
	await ended;
	expect(sms().sort()).toEqual([late, lost].sort());
	await example.execute();
	expect(host.sandbox.accepted()).toHaveLength(4);
	const results = await rows('Order messages');
	const expected = [
		...[`${accepted} chatApp delivered`, `${never} chatApp check`],
		...[`${lost} sms sent`, `${late} sms sent`],
	];
	const found = results.map(({ orderId, channel, result }) => `${orderId} ${channel} ${result}`);
	expect(found.sort()).toEqual(expected.sort());
});

it('sends-in-doubt: what may have been sent is looked up, and sent again only if a person agrees', async () => {
	// Of two orders of the last number, one is accepted: it must not pass for the other.
	const numbers = [carla, ana, '(21) 99876-5432', carla];
	const check = 'Every 15 Minutes';
	const orders = numbers.map((phone, index) => ({ orderId: `order ${index}`, phone }));
	host.sandbox.fault({ to: bruno, fault: { reset: 'afterAccept' } });
	host.sandbox.fault({ to: carla, skip: 1, fault: { status: 502 } });
	const example = await importExample('sends-in-doubt', (workflow) => {
		parametersOf(workflow, 'Sample Orders').jsonOutput = JSON.stringify({ orders });
	});
	const listed = async () => {
		const list = await rows('SMS in doubt');
		return orders.map(({ orderId }) => {
			const [row = {}, ...more] = list.filter((each) => each.orderId === orderId);
			expect(more).toEqual([]);
			return `${row.outcome} ${row.settled}`.trim();
		});
	};
	for (let times = 0; times < 2; times++) {
		await example.execute();
		expect(await listed()).toEqual(['accepted', 'accepted', 'unknown', 'unknown']);
	}

	const oneFound = ['accepted', 'accepted', 'unknown was sent', 'unknown'];
	await example.publish();
	await runs(example, 3);
	expect(await listed()).toEqual(oneFound);
	await example.execute(check);
	expect(await listed()).toEqual(oneFound);
	const [found] = host.sandbox.accepted({ to: bruno });
	expect((await rows('SMS in doubt')).find(({ number }) => number === bruno)).toMatchObject({
		messageId: found!.messageId,
		status: 'queued',
	});

	const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000).toISOString();
	await changeRows(host.client, 'SMS in doubt', ['orderId', 'order 3'], { sentAt: twoHoursAgo });
	const notFound = [...oneFound.slice(0, 3), 'unknown not found'];
	const checks = await host.client.run(example.id, check);
	await host.client.untilItWaits(checks);
	await example.execute(check); // what was asked about is not asked about again
	await example.execute();
	expect(await listed()).toEqual(notFound);
	const [link, ...more] = linksTo(host.sandbox, ana);
	expect(more).toEqual([]);
	expect(texts().at(-1)).toMatch(/^Not found .* the SMS of order order 3\. Send again\?/);

	host.sandbox.clearFaults();
	await answer(link!, 'approve');
	expect((await host.client.waitForExecution(checks)).status).toBe('success');
	expect(await listed()).toEqual([...oneFound.slice(0, 3), 'unknown sent again']);
	await example.execute();
	await example.execute(check);
	expect(await listed()).toEqual([...oneFound.slice(0, 3), 'unknown sent again']);
	expect(host.sandbox.accepted().map(({ to }) => to)).toEqual([carla, ana, bruno, ana, carla]);
});
