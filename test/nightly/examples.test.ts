/**
 * The workflows in examples/, imported and run in the real n8n: by hand, by what they are called with,
 * and by deliveries. Those that a clock starts are in examplesByClock.test.ts, those that keep keys and
 * numbers in deduplicationWorkflow.test.ts and doNotContactWorkflow.test.ts.
 */
import type { IDataObject } from 'n8n-workflow';
import { fetchOnce, outputOf, postJson, type WorkflowJson } from '../../tools/host';
import { until } from '../../tools/host/until';
import type { AcceptedMessage } from '../../tools/sandbox';
import { useModel } from '../e2e/agent/model';
import {
	ana,
	bruno,
	carla,
	enter,
	Example,
	jsonOf,
	parametersOf,
	useExamples,
	windowsOf,
} from '../e2e/examples/example';
import { formUrl, goOn, nextPage } from '../e2e/examples/nextPage';
import { changeRows } from '../e2e/examples/tables';
import { answer, linksTo, open } from '../e2e/wait/question';
import { startService } from '../engine/harness/server';

const { host, importExample, rows, texts } = useExamples();
const text = 'Your order 4711 is ready.';
const toolParameters = { to: '+55 21 99876-5432', text };
const model = useModel(host, () => [{ toolParameters, hitlParameters: {} }]);

/** What the sandbox accepted, by number and in order, e.g. `sms +5511912345678: Hello`. */
const sent = () =>
	host.sandbox.accepted().map(({ channel, to, text }) => `${channel} ${to}: ${text}`);

const scheduleOf = ({ body }: AcceptedMessage) => (body as IDataObject).schedule;

/** Where the example's people live, e.g. `2030-12-31 10:00:00`. */
const clock = new Intl.DateTimeFormat('sv-SE', {
	...({ timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' } as const),
});

/** At that time of the day, or at once if that has passed. */
function expectToday(message: AcceptedMessage, time: string): void {
	const [day, now = ''] = clock.format().split(' ');
	const schedule = scheduleOf(message);
	if (schedule === undefined) expect(now >= time).toBe(true);
	else expect(schedule).toBe(`${day} ${time}`);
}

it('form-to-sms: what was entered is sent, and the form says so, or why not', async () => {
	const example = await (await importExample('form-to-sms')).publish();
	const lost = '+55 31 98888-7777';
	host.sandbox.fault({ to: carla, fault: { reset: 'afterAccept' } });
	for (const [number, shown] of [
		['+55 11 91234-5678', /<h1>Sent<[^]*The SMS to \+5511912345678 is on its way\./],
		[
			'+55 11 91234-567',
			/<h1>Not sent<[^]*91234-567[^]*Please go back and enter the number with \+/,
		],
		[lost, /<h1>Check before you try again<[^]*may have been sent[^]*See whether it arrives/],
	] as const) {
		const entered = ['On Form Submission', number, 'Hello from a form'] as const;
		const { html } = await nextPage(host.url, example, ...entered);
		expect(html).toMatch(shown);
		expect(html).not.toContain('Keep Number as Entered'); // which only a user of the node can turn on
	}
	expect(sent()).toEqual([`sms ${ana}: Hello from a form`, `sms ${carla}: Hello from a form`]);
});

it('crm-contact-to-sms: an SMS, an image where it was refused, and nothing more in doubt', async () => {
	host.sandbox.fault({ operation: 'sendSms', to: bruno, fault: { refuse: 'Número bloqueado.' } });
	host.sandbox.fault({ operation: 'sendSms', to: carla, fault: { reset: 'afterAccept' } });
	const example = await importExample('crm-contact-to-sms');
	const greeting = (name: string) =>
		`Acme: Hello ${name}, thank you for signing up! Reply STOP to opt out.`;
	const first = [
		`sms ${ana}: ${greeting('Ana')}`,
		`sms ${carla}: ${greeting('Carla')}`,
		`chatApp ${bruno}: ${greeting('Bruno')}`,
	];
	const results = [
		{ contactId: 'C-1001', channel: 'sms', messageId: expect.stringMatching(/./), reason: '' },
		{ contactId: 'C-1002', channel: 'chatApp', messageId: expect.stringMatching(/./) },
		{ contactId: 'C-1003', channel: 'none', messageId: '', status: 'unknown' },
	];
	for (let times = 0; times < 2; times++) {
		await example.execute();
		expect(sent().sort()).toEqual(first.sort());
		const byContact = (await rows('CRM contacts texted')).sort((a, b) =>
			String(a.contactId).localeCompare(String(b.contactId)),
		);
		expect(byContact).toMatchObject(results);
		expect(byContact[2]!.reason).toContain('may have been sent');
	}

	await example.publish();
	const contact = { id: 'C-2001', firstName: 'Davi', phone: '+55 41 97777-6666' };
	expect((await postJson(`${host.url}/webhook/new-crm-contact`, contact)).status).toBe(200);
	await until('the new contact has its row', async () => {
		const texted = await rows('CRM contacts texted');
		return texted.some(({ contactId, channel }) => contactId === 'C-2001' && channel === 'sms');
	});
	expect(sent().at(-1)).toBe(`sms +5541977776666: ${greeting('Davi')}`);
});

it('reminders-from-spreadsheet: on the day, at the time, and a wrong number holds up nobody', async () => {
	const example = await importExample('reminders-from-spreadsheet');
	await example.execute();
	expect(sent().sort()).toEqual([
		`sms ${ana}: Acme: Happy birthday, Ana! Reply STOP to opt out.`,
		`sms ${bruno}: Hello Bruno, we look forward to seeing you tomorrow at 14:30.`,
	]);
	const [wishes] = host.sandbox.accepted({ to: ana });
	const [reminder] = host.sandbox.accepted({ to: bruno });
	expectToday(wishes!, '10:00:00');
	expectToday(reminder!, '14:30:00');
	expect(await rows('Numbers to correct')).toEqual([]);

	await example.execute('Every Morning'); // again on this day: each has its message
	expect(host.sandbox.accepted()).toHaveLength(2);

	host.sandbox.fault({ to: ana, fault: { refuse: 'Número inválido.' } });
	await (await importExample('reminders-from-spreadsheet')).execute();
	expect(host.sandbox.accepted({ to: bruno })).toHaveLength(2);
	expect(await rows('Numbers to correct')).toMatchObject([
		{ name: 'Ana', phone: '+55 11 91234-5678', reason: expect.stringContaining('inválido') },
	]);
});

it('reminders-from-spreadsheet: who has a date that cannot be read is not passed over', async () => {
	const csv = [
		'name,phone,birthday,appointment',
		`Ana,${ana},31.12.1992,`,
		`Bruno,${bruno},,31/12/2030`,
		`Carla,${carla},,2030-12-31 09:00`,
		`Davi,+5541977776666,1.1,soon`,
	].join('\n');
	const example = await importExample('reminders-from-spreadsheet', (workflow) =>
		enter(workflow, 'Spreadsheet', { csv }),
	);
	await example.execute();
	expect(sent()).toEqual([]);
	const unreadable = (await rows('Numbers to correct')).filter(({ reason }) =>
		String(reason).includes('is not a date and time'),
	);
	expect(unreadable.map(({ name }) => name).sort()).toEqual(['Ana', 'Bruno', 'Davi']);
});

it('reminders-in-office-hours: on the next of the days, at nine where each person lives', async () => {
	const inThreeDays = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000);
	const [day] = inThreeDays.toISOString().split('T');
	const weekday = inThreeDays.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
	const example = await importExample('reminders-in-office-hours', (workflow) => {
		const [window] = windowsOf(workflow, 'Send Reminder');
		window!.days = [weekday.toLowerCase()];
	});
	for (let times = 0; times < 2; times++) {
		await example.execute();
		const reminders = await rows('Reminders');
		const times = Object.fromEntries(
			reminders.map(({ name, leaves }) => [String(name), String(leaves)]),
		);
		const expected = expect.stringMatching(`^${day}T09:00`) as string;
		expect(times).toEqual({ Ana: expected, Bruno: expected, Carla: expected, Davi: '' });
		expect(reminders).toHaveLength(4);
		expect(reminders.find(({ name }) => name === 'Davi')!.reason).toContain("'Timezone'");
		const leaving = Object.values(times).filter((time) => time !== '');
		expect(host.sandbox.accepted().map(scheduleOf).sort()).toEqual(
			leaving.map((time) => clock.format(new Date(time))).sort(),
		);
	}
});

it('check-before-sending: nobody but the approver gets a message before the list is approved', async () => {
	const example = await importExample('check-before-sending');
	const execution = await host.client.run(example.id);
	await until('the approver is asked', async () => linksTo(host.sandbox, ana).length === 1);
	expect(host.sandbox.requests()).toHaveLength(1);
	expect(sent()[0]).toContain(`sms ${ana}: Send 3 messages (3 segments)? Refused: 2.\n`);
	const refused = [
		['Davi', 'not sent', expect.stringContaining('is not a valid number')],
		['Elisa', 'not sent', expect.stringContaining('is a landline')],
	];
	const list = async () =>
		(await rows('Campaign list')).map(({ name, result, reason }) => [name, result, reason]).sort();
	expect(await list()).toEqual(refused);

	host.sandbox.fault({ to: carla, fault: { reset: 'afterAccept' } });
	await answer(linksTo(host.sandbox, ana)[0]!, 'approve');
	const { status, error } = await host.client.waitForExecution(execution);
	expect([error?.message, status]).toEqual([undefined, 'success']);
	expect(sent().slice(1).sort()).toEqual([
		`sms ${bruno}: Acme: Hello Bruno, our spring sale begins on Monday. No more messages: https://example.com/stop`,
		`sms ${carla}: Acme: Hello Carla, our spring sale begins on Monday. No more messages: https://example.com/stop`,
		'sms +5551991234567: Acme: Hello Joao, our spring sale begins on Monday. No more messages: https://example.com/stop',
	]);
	const reached = ['Bruno', 'João'].map((name) => [name, 'sent', '']);
	const inDoubt = ['Carla', 'may have been sent', expect.stringContaining('may have been sent')];
	expect(await list()).toEqual([...reached, inDoubt, ...refused].sort());

	await example.execute(); // there is nothing to be sent any more, and so nothing to approve
	expect(host.sandbox.requests()).toHaveLength(4);
	expect(await list()).toEqual([...reached, inDoubt, ...refused].sort());
});

it('delivery-report-to-row: one row per message', async () => {
	const example = await (await importExample('delivery-report-to-row')).publish();
	const ids = ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'];
	const deliver = async (messageId: string) =>
		await host.sandbox.deliver({ messageId, to: ana, status: 'sent' });
	await Promise.all(ids.map(deliver));
	await example.runs(ids.length);
	await host.sandbox.deliver([
		{ messageId: 'm-1', to: ana, status: 'delivered' },
		{ greeting: 'Olá' },
		{ messageId: 'm-2', to: ana, status: 'error' },
	]);
	await example.runs(ids.length + 1);
	const reports = await rows('SMS delivery reports');
	expect(reports.map(({ messageId, status }) => `${messageId} ${status}`).sort()).toEqual([
		...['m-1 delivered', 'm-2 error', 'm-3 sent', 'm-4 sent', 'm-5 sent'],
	]);
});

it('deliveries-to-crm-and-workflows: the CRM and both workflows get each, or it is kept', async () => {
	let status = 202;
	const crm = await startService((response) => response.writeHead(status).end('{"taken":true}'));
	host.sandbox.webhook = { url: crm.url, enabled: false }; // freed, as the note says
	const importStarted = async () =>
		await Example.import(host.client, 'delivery-report-to-row', {}, startedByOthers);
	const [started, gone] = [await importStarted(), await importStarted()];
	await started.publish();
	await gone.publish(); // n8n publishes nothing that would start what is not published
	const example = await importExample('deliveries-to-crm-and-workflows', (workflow) => {
		parametersOf(workflow, 'To the CRM').url = crm.url;
		for (const node of workflow.nodes) if (node.name === 'To the CRM') node.waitBetweenTries = 1;
		for (const [index, { id }] of [started, gone].entries()) {
			const starter = parametersOf(workflow, `Start Workflow ${index + 1}`);
			starter.workflowId = { __rl: true, mode: 'id', value: id };
		}
	});
	await example.publish();
	await gone.unpublish();
	const delivered = { messageId: 'm-11', to: ana, status: 'sent', more: { a: [1] } };
	await host.sandbox.deliver(delivered);
	await example.runs(1);
	const [first] = crm.received;
	expect(JSON.parse(String(first!.body))).toEqual(delivered);
	await started.runs(1);
	const row = { messageId: 'm-11', status: 'sent' }; // the table of another example has more
	expect(await rows('SMS delivery reports')).toContainEqual(expect.objectContaining(row));

	status = 503;
	await host.sandbox.deliver([{ messageId: 'm-2' }, { messageId: 'm-3' }]);
	await example.runs(2);
	expect(crm.received).toHaveLength(3); // the table takes what fails: posted again, others would come twice
	const kept = await rows('Not taken by the CRM');
	const notTaken = ['{"messageId":"m-2"}', '{"messageId":"m-3"}'];
	expect(kept.map(({ delivery }) => delivery)).toEqual(notTaken);
	expect(kept[0]!.reason).toContain('503');
	await example.unpublish();
	expect(host.sandbox.webhook).toMatchObject({ enabled: false });
	await crm.close();
});

/** Another trigger for a workflow: it is called with each delivery. */
function startedByOthers({ nodes }: WorkflowJson): void {
	const trigger = nodes.find(({ name }) => name === 'Delivery Report')!;
	trigger.type = 'n8n-nodes-base.executeWorkflowTrigger';
	trigger.typeVersion = 1.1;
	trigger.parameters = { inputSource: 'passthrough' };
}

describe('one-time-code', () => {
	let example: Example;
	beforeAll(async () => {
		example = await importExample('one-time-code', (workflow) => {
			const { values } = parametersOf<{ options: { deduplication: { values: { key: string } } } }>(
				workflow,
				'Send Code',
			).options.deduplication;
			const tenMinutes = '/ 600000)';
			expect(values.key).toContain(tenMinutes);
			// So that no ten minutes end in the middle of a test.
			values.key = values.key.replace(tenMinutes, '/ 6e11)');
		});
		await example.publish({ stays: true });
	});

	const ask = async (number: string) => await nextPage(host.url, example, 'Number Form', number);
	const codeFor = (to: string) => /\d{6}/.exec(host.sandbox.accepted({ to })[0]!.text)![0];
	const wrong = (to: string) =>
		codeFor(to).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
	const confirmed = async (number: string) =>
		(await rows('Confirmed numbers')).filter((row) => row.number === number).length;
	const [noLonger, isConfirmed] = ['This code is no longer valid', 'Your number is confirmed.'];

	it('two at the same moment: one SMS, one success', async () => {
		expect((await ask('99876')).html).toContain('No code was sent');
		const pages = await Promise.all([ask(ana), ask('+55 (11) 91234-5678')]);
		expect(host.sandbox.timesAccepted({ to: ana })).toBe(1);
		expect(pages[0].html).toContain('We texted it to your number.');
		expect((await goOn(pages[0], wrong(ana))).html).toContain('That was not the code.');
		const ends = await Promise.all(pages.map(async (page) => await goOn(page, ` ${codeFor(ana)}`)));
		expect(ends.filter(({ html }) => html.includes(isConfirmed))).toHaveLength(1);
		expect(await confirmed(ana)).toBe(1);
	});

	it('five wrong ones, and the right one is refused, although nobody knows if the SMS left', async () => {
		host.sandbox.fault({ to: bruno, fault: { reset: 'afterAccept' } });
		let page = await ask(bruno);
		for (let tries = 0; tries < 5; tries++) page = await goOn(page, wrong(bruno));
		expect(page.html).toContain(noLonger);
		expect((await goOn(await ask(bruno), codeFor(bruno))).html).toContain(noLonger);
		expect(host.sandbox.timesAccepted({ to: bruno })).toBe(1);
		expect(await confirmed(bruno)).toBe(0);
		expect(JSON.stringify(await rows('One-time codes'))).not.toContain(codeFor(bruno));
	});

	it('not after ten minutes', async () => {
		const davi = '+5541977776666';
		const page = await ask(davi);
		const [saved] = (await rows('One-time codes')).filter(({ number }) => number === davi);
		const left = Date.parse(String(saved!.endsAt)) - Date.parse(String(saved!.createdAt));
		expect(Math.round(left / 60_000)).toBe(10);
		const endsAt = new Date(Date.now() - 1_000).toISOString();
		await changeRows(host.client, 'One-time codes', ['number', davi], { endsAt });
		expect((await goOn(page, codeFor(davi))).html).toContain(noLonger);
		expect(await confirmed(davi)).toBe(0);
	});
});

it.each([
	[['approve', 'approve'], 'Release Order'],
	[['approve', 'disapprove'], 'Keep Order Back'],
	[['disapprove'], 'Keep Order Back'],
])('two-people-approve: %j ends in %s', async (answers, end) => {
	const { client, sandbox } = host;
	const execution = await client.run((await importExample('two-people-approve')).id);
	for (const [index, value] of answers.entries()) {
		const asked = [ana, carla][index]!;
		await until('the next is asked', () => linksTo(sandbox, asked).length === 1);
		await client.untilItWaits(execution);
		expect((await answer(linksTo(sandbox, asked)[0]!, value)).title).toContain('Answer recorded');
	}
	const ended = await client.waitForExecution(execution);
	expect(ended).toMatchObject({ status: 'success', error: undefined });
	const ends = ['Release Order', 'Keep Order Back'];
	expect(ends.filter((name) => outputOf(ended, name).length > 0)).toEqual([end]);
	expect(sandbox.accepted()).toHaveLength(answers.length);
});

it('agent-sms-after-review: one SMS, after the manager agreed', async () => {
	const { client, url } = host;
	const openAiApi = model.openAi;
	const example = await importExample('agent-sms-after-review', undefined, { openAiApi });
	await example.publish();
	const request = 'Tell +55 21 99876-5432 that order 4711 is ready.';
	for (const [decision, answered] of [
		['approve', /messageId/],
		['disapprove', /rejected/i],
	] as const) {
		host.sandbox.reset();
		const [address, body] = formUrl(example, 'Request Form', [request]);
		expect((await fetchOnce(url + address, { method: 'POST', body })).status).toBe(200);
		await until('the manager is asked', () => linksTo(host.sandbox, ana).length > 0);
		const id = await client.newest(example.id);
		await client.untilItWaits(id);
		const [link = ''] = linksTo(host.sandbox, ana);
		const { html } = await open(link);
		expect(html).toContain('May the agent text +55 21 99876-5432?');
		expect(html).toContain(text);
		expect(host.sandbox.accepted({ to: bruno })).toEqual([]);

		await answer(link, decision);
		const ended = await client.waitForExecution(id);
		expect(ended.error).toBeUndefined();
		const isSent = decision === 'approve';
		expect(host.sandbox.accepted({ to: bruno })).toMatchObject(isSent ? [{ text }] : []);
		const saved = { request, answer: expect.stringMatching(answered) };
		expect((await rows('Agent answers')).at(-1)).toMatchObject(saved);
	}
	expect(await rows('Agent answers')).toHaveLength(2);
	const { description, parameters } = model.asked[0]!.tools![0]!.function;
	expect(description).toMatch(/^Sends a customer an SMS\./);
	expect(JSON.stringify(parameters)).toContain('Never guess it.');
});

it('media-and-audio-to-contact: an image and a voice message', async () => {
	const example = await importExample('media-and-audio-to-contact');
	const ended = await example.execute();
	expect(host.sandbox.accepted().map(({ channel, to }) => `${channel} ${to}`)).toEqual(
		Array(2).fill(`chatApp ${ana}`),
	);
	expect(texts().sort()).toEqual([
		'',
		'Acme: Hello Ana, here is our brochure. Reply STOP to opt out.',
	]);
	expect(jsonOf(ended, 'Send Audio')).toMatchObject([{ channel: 'chatApp', to: ana }]);
});
