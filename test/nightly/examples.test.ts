/**
 * The workflows in examples/, imported and run in the real n8n: by hand, by what they are called with,
 * and by deliveries. Those that a clock starts are in examplesByClock.test.ts, the two that keep
 * deduplication keys in deduplicationWorkflow.test.ts. In test/e2e, for `npm test`, are those of
 * threeExamples.test.ts and 'Approval by SMS', in sendAndWait.test.ts.
 */
import type { IDataObject } from 'n8n-workflow';
import { fetchOnce, type CredentialReference, type HostClient } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type AcceptedMessage, type Sandbox } from '../../tools/sandbox';
import { dayIn } from '../e2e/examples/dayIn';
import { Example, jsonOf } from '../e2e/examples/example';
import { formUrl, shown, type Shown } from '../e2e/examples/nextPage';
import { addRows, changeRows, rowsOf } from '../e2e/examples/tables';
import { sharedHost } from '../e2e/sharedHost';
import { answer, linksTo } from '../e2e/wait/question';
import { startCrm } from '../../tools/shared/crm';
import { chain, gateway, items } from '../../tools/shared/workflows';

const ana = '5511912345678';
const bruno = '5521998765432';
const carla = '5531988887777';

let url: string;
let client: HostClient;
let sandbox: Sandbox;
let account: CredentialReference;

beforeAll(async () => {
	({ url, client } = await sharedHost());
	sandbox = await startSandbox();
	account = await client.createCredential(sandbox.credential);
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await sandbox.close();
});

const importExample = async (file: string, set?: Parameters<typeof Example.import>[3]) =>
	await Example.import(client, file, { messagingGatewayApi: account }, set);

const rows = async (table: string) => await rowsOf(client, table);

/** What the sandbox accepted, by number and in order, e.g. `sms 5511912345678: Hello`. */
const sent = () => sandbox.accepted().map(({ channel, to, text }) => `${channel} ${to}: ${text}`);

const weekdayOf = (day: string) =>
	new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
		.format(new Date(day))
		.toLowerCase();

const scheduleOf = ({ body }: AcceptedMessage) => (body as IDataObject).schedule;

/** At that time of the day where the example's people live, or at once if that has passed. */
function expectToday(message: AcceptedMessage, time: string): void {
	const today = dayIn('America/Sao_Paulo');
	expect(scheduleOf(message)).toMatch(new RegExp(`^${today} \\d\\d:\\d\\d:\\d\\d$`));
	expect(String(scheduleOf(message)) >= `${today} ${time}`).toBe(true);
}

async function post(address: string, body: object): Promise<void> {
	const response = await fetchOnce(url + address, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect(response.status).toBe(200);
}

/** Fills in the fields of a form that goes on with another page: the address of it, and what it shows. */
async function nextPage(example: Example, form: string, ...values: string[]): Promise<Shown> {
	const [address, body] = formUrl(example, form, values);
	const answer = await fetchOnce(url + address, { method: 'POST', body });
	const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
	return await shown(formWaitingUrl);
}

/** The same, of that page. */
async function goOn({ address }: Shown, value: string): Promise<Shown> {
	const body = new FormData();
	body.set('field-0', value);
	await (await fetchOnce(address, { method: 'POST', body })).text(); // once it goes on
	return await shown(address);
}

it('form-to-sms: what was entered is sent, and the form says so, or why not', async () => {
	const example = await importExample('form-to-sms');
	await example.publish();
	const lost = '+55 31 98888-7777';
	sandbox.fault({ to: carla, fault: { reset: 'afterAccept' } });
	for (const [number, shown] of [
		['+55 11 91234-5678', /<h1>Sent<[^]*The SMS to \+5511912345678 is on its way\./],
		[
			'+55 11 91234-567',
			/<h1>Not sent<[^]*91234-567[^]*Please go back and enter the number with \+/,
		],
		[lost, /<h1>Check before you try again<[^]*may have been sent[^]*See whether it arrives/],
	] as const) {
		const { html } = await nextPage(example, 'On Form Submission', number, 'Hello from a form');
		expect(html).toMatch(shown);
		expect(html).not.toContain('Keep Number as Entered'); // which only a user of the node can turn on
	}
	expect(sent()).toEqual([`sms ${ana}: Hello from a form`, `sms ${carla}: Hello from a form`]);
	await example.unpublish();
});

it('crm-contact-to-sms: an SMS, an image where it was refused, and nothing more in doubt', async () => {
	sandbox.fault({ operation: 'sendSms', to: bruno, fault: { refuse: 'Número bloqueado.' } });
	sandbox.fault({ operation: 'sendSms', to: carla, fault: { reset: 'afterAccept' } });
	const example = await importExample('crm-contact-to-sms');
	const greeting = (name: string) => `Hello ${name}, thank you for signing up!`;
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
	await post('/webhook/new-crm-contact', contact);
	await until('the new contact has its row', async () => {
		const texted = await rows('CRM contacts texted');
		return texted.some(({ contactId, channel }) => contactId === 'C-2001' && channel === 'sms');
	});
	expect(sent().at(-1)).toBe(`sms 5541977776666: ${greeting('Davi')}`);
	await example.unpublish();
});

it('reminders-from-spreadsheet: on the day, at the time, and a wrong number holds up nobody', async () => {
	const example = await importExample('reminders-from-spreadsheet');
	await example.execute();
	expect(sent().sort()).toEqual([
		`sms ${ana}: Happy birthday, Ana!`,
		`sms ${bruno}: Hello Bruno, we look forward to seeing you tomorrow at 14:30.`,
	]);
	const [wishes] = sandbox.accepted({ to: ana });
	const [reminder] = sandbox.accepted({ to: bruno });
	expectToday(wishes!, '10:00:00');
	expectToday(reminder!, '14:30:00');
	expect(await rows('Numbers to correct')).toEqual([]);

	await example.execute('Every Morning'); // again on this day: each has its message
	expect(sandbox.accepted()).toHaveLength(2);

	sandbox.fault({ to: ana, fault: { refuse: 'Número inválido.' } });
	await (await importExample('reminders-from-spreadsheet')).execute();
	expect(sandbox.accepted({ to: bruno })).toHaveLength(2);
	expect(await rows('Numbers to correct')).toMatchObject([
		{ name: 'Ana', phone: '+55 11 91234-5678', reason: expect.stringContaining('inválido') },
	]);
});

it('reminders-from-spreadsheet: who has a date that cannot be read is not passed over', async () => {
	const example = await importExample('reminders-from-spreadsheet', ({ nodes }) => {
		const sheet = nodes.find(({ name }) => name === 'Spreadsheet')!;
		const { assignments } = sheet.parameters.assignments as { assignments: IDataObject[] };
		assignments[0]!.value = [
			'name,phone,birthday,appointment',
			`Ana,+${ana},31.12.1992,`,
			`Bruno,+${bruno},,31/12/2030`,
			`Carla,+${carla},,2030-12-31 09:00`,
			`Davi,+5541977776666,1.1,soon`,
		].join('\n');
	});
	await example.execute();
	expect(sent()).toEqual([]);
	const unreadable = (await rows('Numbers to correct')).filter(({ reason }) =>
		String(reason).includes('is not a date and time'),
	);
	expect(unreadable.map(({ name }) => name).sort()).toEqual(['Ana', 'Bruno', 'Davi']);
});

it('reminders-in-office-hours: on the next of the days, at nine where each person lives', async () => {
	const day = dayIn('UTC', 3);
	const example = await importExample('reminders-in-office-hours', ({ nodes }) => {
		const { options } = nodes.find(({ name }) => name === 'Send Reminder')!.parameters;
		const { sendBetween } = options as {
			sendBetween: { values: { windows: { values: IDataObject[] } } };
		};
		const [window] = sendBetween.values.windows.values;
		window!.days = [weekdayOf(day)];
	});
	for (let times = 0; times < 2; times++) {
		await example.execute();
		const reminders = await rows('Reminders');
		expect(reminders.map(({ name, leaves }) => [name, String(leaves).slice(0, 16)]).sort()).toEqual(
			[
				['Ana', `${day}T09:00`],
				['Bruno', `${day}T09:00`],
				['Carla', `${day}T09:00`],
				['Davi', ''],
			],
		);
		expect(reminders.find(({ name }) => name === 'Davi')!.reason).toContain("'Timezone'");
		const inSaoPaulo = new Intl.DateTimeFormat('sv-SE', {
			timeZone: 'America/Sao_Paulo',
			dateStyle: 'short',
			timeStyle: 'medium',
		});
		const times = reminders.filter(({ leaves }) => leaves).map(({ leaves }) => String(leaves));
		expect(sandbox.accepted().map(scheduleOf).sort()).toEqual(
			times.map((time) => inSaoPaulo.format(new Date(time))).sort(),
		);
	}
});

it('check-before-sending: nobody but the approver gets a message before the list is approved', async () => {
	const example = await importExample('check-before-sending');
	const execution = await client.run(example.id);
	await until('the approver is asked', async () => linksTo(sandbox, ana).length === 1);
	expect(sandbox.requests()).toHaveLength(1);
	expect(sent()[0]).toContain(`sms ${ana}: Send 3 messages (3 segments)? Refused: 2.\n`);
	const refused = [
		['Davi', 'not sent', expect.stringContaining('is not a valid number')],
		['Elisa', 'not sent', expect.stringContaining('is a landline')],
	];
	const list = async () =>
		(await rows('Campaign list')).map(({ name, result, reason }) => [name, result, reason]).sort();
	expect(await list()).toEqual(refused);

	sandbox.fault({ to: carla, fault: { reset: 'afterAccept' } });
	await answer(linksTo(sandbox, ana)[0]!, 'approve');
	const { status, error } = await client.waitForExecution(execution);
	expect([error?.message, status]).toEqual([undefined, 'success']);
	expect(sent().slice(1).sort()).toEqual([
		`sms ${bruno}: Hello Bruno, our spring sale begins on Monday.`,
		`sms ${carla}: Hello Carla, our spring sale begins on Monday.`,
		'sms 5551991234567: Hello Joao, our spring sale begins on Monday.',
	]);
	const reached = ['Bruno', 'João'].map((name) => [name, 'sent', '']);
	const inDoubt = ['Carla', 'may have been sent', expect.stringContaining('may have been sent')];
	expect(await list()).toEqual([...reached, inDoubt, ...refused].sort());

	await example.execute(); // there is nothing to be sent any more, and so nothing to approve
	expect(sandbox.requests()).toHaveLength(4);
	expect(await list()).toEqual([...reached, inDoubt, ...refused].sort());
});

it('delivery-report-to-row: one row per message, and the CRM goes on getting what it got', async () => {
	const crm = await startCrm();
	sandbox.webhook = { url: crm.url, enabled: true };
	const example = await importExample('delivery-report-to-row');
	await example.publish();
	const ids = ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'];
	await Promise.all(
		ids.map(async (messageId) => await sandbox.deliver({ messageId, to: ana, status: 'sent' })),
	);
	await example.runs(ids.length);
	await sandbox.deliver([
		{ messageId: 'm-1', to: ana, status: 'delivered' },
		{ greeting: 'Olá' },
		{ messageId: 'm-2', to: ana, status: 'error' },
	]);
	await example.runs(ids.length + 1);
	const reports = await rows('SMS delivery reports');
	expect(reports.map(({ messageId, status }) => `${messageId} ${status}`).sort()).toEqual([
		'm-1 delivered',
		'm-2 error',
		'm-3 sent',
		'm-4 sent',
		'm-5 sent',
	]);
	expect(crm.received).toHaveLength(ids.length + 1);
	await example.unpublish();
	expect(sandbox.webhook).toEqual({ url: crm.url, enabled: true });
	await crm.close();
});

it('group-quick-replies: one run goes on with all of a number', async () => {
	const example = await importExample('group-quick-replies');
	await example.publish();
	const texts = ['Hi', 'where is my order', '4711?'];
	for (const [index, text] of texts.entries()) {
		await sandbox.deliver({ to: ana, text }); // each is a run of its own
		await until('it is kept', async () => (await rows('Waiting replies')).length > index);
	}
	await sandbox.deliver([
		{ to: bruno, text: 'Thanks' },
		{ to: bruno, text: 'a lot' },
	]);
	await example.runs(4);
	const grouped = await rows('Grouped replies');
	expect(grouped.sort((a, b) => Number(a.number) - Number(b.number))).toMatchObject([
		{ number: ana, count: 3, texts: texts.join('\n') },
		{ number: bruno, count: 2, texts: 'Thanks\na lot' },
	]);
	expect(await rows('Waiting replies')).toEqual([]);

	await sandbox.deliver({ to: ana, text: 'Thanks' });
	await example.runs(5);
	expect((await rows('Grouped replies')).at(-1)).toMatchObject({ count: 1, texts: 'Thanks' });
	await example.unpublish();
});

it('do-not-contact-data-table, stop-by-reply: who wrote STOP gets no more', async () => {
	const example = await importExample('do-not-contact-data-table');
	await example.publish();
	const list = { doNotContactWorkflowId: example.id, allowedCountries: 'BR' };
	await client.updateCredential(account.id, { ...sandbox.credential, ...list });
	const send = async (text: string) => {
		const rows = items({ to: ana }, { to: bruno }, { to: carla });
		const sends = gateway(account, 'message', 'sendSms', { to: '={{ $json.to }}', text });
		return jsonOf(await client.execute(chain('List', ...rows, sends)), 'Gateway');
	};
	expect(await send('Before')).toMatchObject([{ to: ana }, { to: bruno }, { to: carla }]);

	const listed = async () =>
		(await rows('Do not contact')).map(({ number, to, source, words }) =>
			[number, to, source, words].join(' | '),
		);
	const stop = async (number: string) => (await nextPage(example, 'STOP Form', number)).html;
	const typed = '+55 (21) 99876-5432';
	expect(await stop(typed)).toContain('We send you no more messages.');
	await stop(`+${bruno}`); // again, by the account whose list has him
	expect(await stop('99876')).toContain('Please enter your number again');
	// One that the account sends to at no time, or not now, can be entered all the same.
	expect(await stop('+1 202 555 0143')).toContain('We send you no more messages.');
	const byHand = [{ number: '0055 31 98888-7777' }, { number: 'Carla' }];
	await addRows(client, 'Do not contact', byHand);
	const blocked = { skipped: true, reason: 'doNotContact' };
	expect(await send('After')).toMatchObject([{ to: ana }, blocked, blocked]);
	expect(await listed()).toEqual([
		`+${bruno} | ${bruno} | form | `,
		'99876 | to review | form | ',
		'+1 202 555 0143 | 12025550143 | form | ',
		`0055 31 98888-7777 | ${carla} |  | `,
		'Carla | to review |  | ',
	]);

	const replies = await importExample('stop-by-reply');
	await replies.publish();
	await sandbox.deliver([
		{ from: `${ana}@example`, text: ' Párar!' },
		{ from: bruno, text: 'Voltar.' },
		{ from: carla, text: 'START' }, // a number that the office entered stays on the list
		{ from: '99876-5432', text: 'baja' },
		{ from: '5551991234567', text: 'Obrigado, please do not stop' },
		{ from: '5551991234567', text: 'obrigado' },
		...['stop', 'SAIR.', 'párar', '¡Cancelar!', 'Baja'].map((text, index) => ({
			from: `551190030000${index}`,
			text,
		})),
		{ messageId: 'm-1', to: '5551991234567', status: 'delivered' },
	]);
	await replies.runs(1);
	expect(await listed()).toEqual([
		'99876 | to review | form | ',
		'+1 202 555 0143 | 12025550143 | form | ',
		`0055 31 98888-7777 | ${carla} |  | `,
		'Carla | to review |  | ',
		'99876-5432 | to review | reply | baja',
		`${ana}@example | ${ana} | reply |  Párar!`,
		'5511900300000 | 5511900300000 | reply | stop',
		'5511900300001 | 5511900300001 | reply | SAIR.',
		'5511900300002 | 5511900300002 | reply | párar',
		'5511900300003 | 5511900300003 | reply | ¡Cancelar!',
		'5511900300004 | 5511900300004 | reply | Baja',
	]);
	expect(await send('Then')).toMatchObject([blocked, { to: bruno }, blocked]);
	expect(sandbox.accepted().map(({ to, text }) => `${to} ${text}`)).toHaveLength(5); // 3, 1 and 1
	await example.unpublish(); // so that the list does not answer
	await sandbox.deliver({ from: bruno, text: 'STOP' });
	await replies.runs(2);
	expect((await listed()).at(-1)).toBe(`${bruno} | ${bruno} | reply | STOP`);
	await replies.unpublish();
	await client.updateCredential(account.id, sandbox.credential);
});

describe('one-time-code', () => {
	let example: Example;
	beforeAll(async () => {
		example = await importExample('one-time-code', ({ nodes }) => {
			const { options } = nodes.find(({ name }) => name === 'Send Code')!.parameters;
			const { values } = (options as { deduplication: { values: { key: string } } }).deduplication;
			const tenMinutes = '/ 600000)';
			expect(values.key).toContain(tenMinutes);
			// So that no ten minutes end in the middle of a test.
			values.key = values.key.replace(tenMinutes, '/ 6e11)');
		});
		await example.publish();
	});
	afterAll(async () => await example.unpublish());

	const ask = async (number: string) => await nextPage(example, 'Number Form', number);
	const codeFor = (to: string) => /\d{6}/.exec(sandbox.accepted({ to })[0]!.text)![0];
	const wrong = (to: string) =>
		codeFor(to).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
	const confirmed = async (number: string) =>
		(await rows('Confirmed numbers')).filter((row) => row.number === number).length;
	const [noLonger, isConfirmed] = ['This code is no longer valid', 'Your number is confirmed.'];

	it('two at the same moment: one SMS, one success', async () => {
		expect((await ask('99876')).html).toContain('No code was sent');
		const pages = await Promise.all([ask(`+${ana}`), ask('+55 (11) 91234-5678')]);
		expect(sandbox.timesAccepted({ to: ana })).toBe(1);
		expect(pages[0].html).toContain('We texted it to your number.');
		expect((await goOn(pages[0], wrong(ana))).html).toContain('That was not the code.');
		const ends = await Promise.all(pages.map(async (page) => await goOn(page, ` ${codeFor(ana)}`)));
		expect(ends.filter(({ html }) => html.includes(isConfirmed))).toHaveLength(1);
		expect(await confirmed(ana)).toBe(1);
	});

	it('five wrong ones, and the right one is refused, although nobody knows if the SMS left', async () => {
		sandbox.fault({ to: bruno, fault: { reset: 'afterAccept' } });
		let page = await ask(`+${bruno}`);
		for (let tries = 0; tries < 5; tries++) page = await goOn(page, wrong(bruno));
		expect(page.html).toContain(noLonger);
		expect((await goOn(await ask(`+${bruno}`), codeFor(bruno))).html).toContain(noLonger);
		expect(sandbox.timesAccepted({ to: bruno })).toBe(1);
		expect(await confirmed(bruno)).toBe(0);
		expect(JSON.stringify(await rows('One-time codes'))).not.toContain(codeFor(bruno));
	});

	it('not after ten minutes', async () => {
		const davi = '5541977776666';
		const page = await ask(`+${davi}`);
		const [saved] = (await rows('One-time codes')).filter(({ number }) => number === davi);
		const left = Date.parse(String(saved!.endsAt)) - Date.parse(String(saved!.createdAt));
		expect(Math.round(left / 60_000)).toBe(10);
		const endsAt = new Date(Date.now() - 1_000).toISOString();
		await changeRows(client, 'One-time codes', ['number', davi], { endsAt });
		expect((await goOn(page, codeFor(davi))).html).toContain(noLonger);
		expect(await confirmed(davi)).toBe(0);
	});
});

it('permission-to-send: marketing goes to who opted in, and three times a week at most', async () => {
	const [willing, full, unasked, stopped] = [1, 2, 3, 4].map((end) => `551190020000${end}`);
	const example = await importExample('permission-to-send');
	await example.publish();
	const list = { ...sandbox.credential, doNotContactWorkflowId: example.id };
	await client.updateCredential(account.id, list);
	const everybody = [willing, full, unasked, stopped].map((to) => ({ to }));
	const send = async (workflow: string) => {
		const sends = gateway(account, 'message', 'sendSms', {
			to: '=+{{ $json.to }}',
			text: workflow,
		});
		await client.execute(chain(workflow, ...items(...everybody), sends));
		return sandbox
			.accepted({ text: workflow })
			.map(({ to }) => to)
			.sort();
	};
	expect(await send('Appointments')).toEqual([willing, full, unasked, stopped]);
	expect(await send('Marketing: first')).toEqual([]);

	const optedIn = [willing, full, stopped].map((number) => ({ number }));
	await addRows(client, 'Opted in', optedIn);
	await addRows(client, 'Do not contact', [{ number: stopped, to: stopped }]);
	const sentAt = new Date().toISOString();
	const log = async (...sent: IDataObject[]) =>
		await addRows(
			client,
			'Send log',
			sent.map((row) => ({ sentAt, outcome: 'accepted', ...row })),
		);
	await log(
		{ number: full },
		{ number: full, outcome: 'unknown' },
		{ number: full },
		{ number: willing },
		{ number: willing },
		{ number: willing, outcome: 'refused' },
		{ number: willing, sentAt: '2020-01-01T12:00:00.000Z' },
	);
	expect(await send('Marketing: second')).toEqual([willing]);
	expect(await send('Reminders')).toEqual([willing, full, unasked]);
	await log({ number: willing });
	expect(await send('Marketing: third')).toEqual([]);
	await client.updateCredential(account.id, sandbox.credential);
	await example.unpublish();
});
