/** The workflows in examples/ that an account asks whether somebody may be contacted. */
import type { INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../tools/host';
import { chain, items } from '../../tools/shared/workflows';
import { ana, bruno, carla, enter, jsonOf } from '../e2e/examples/example';
import { goOn, nextPage } from '../e2e/examples/nextPage';
import { addRows, rowsOf } from '../e2e/examples/tables';
import { call, numbered, smsToEach } from '../e2e/support/workflows';
import { columnsOf, table, describeInPostgres, useConsent, type Store } from './consentStores';

const consent = useConsent();
const { host, publish, send } = consent;

async function stopsWho({ file, replies, add, rows }: Store): Promise<void> {
	const { client, sandbox, url, credential } = host;
	const example = await publish(file);
	const everybody = [{ to: ana }, { to: bruno }, { to: carla }];
	const sendAll = async (text: string) => jsonOf(await send(text, everybody), 'Gateway');
	const expectListed = async (...expected: string[]) => {
		const listed = columnsOf(await rows(table), 'number', 'to', 'source', 'words');
		expect(listed).toEqual(expected.sort());
	};
	const blocked = { skipped: true, reason: 'doNotContact' };
	expect(await sendAll('Before')).toMatchObject(everybody);

	const stop = async (number: string) => (await nextPage(url, example, 'STOP Form', number)).html;
	const done = 'Some that are already under way may still arrive.';
	expect(await stop('+55 (21) 99876-5432')).toContain(done);
	const [first] = await rows(table);
	expect(await stop(bruno)).toContain(done); // again, by the account whose list has him
	expect(await stop('99876')).toContain('Please enter your number again');
	// One that the account sends to at no time, or not now, can be entered all the same.
	expect(await stop('+1 202 555 0143')).toContain(done);
	expect(await stop('+55 11 8 0000-0000')).toContain(done); // of a range that no plan has yet
	await add(['0055 31 98888-7777', 'Carla', '55 11 80000-0001']);
	expect(await sendAll('After')).toMatchObject([{ to: ana }, blocked, blocked]);
	const byOffice = [
		'+1 202 555 0143 | +12025550143 | form | ',
		'+55 11 8 0000-0000 | +5511800000000 | form | ',
		`0055 31 98888-7777 | ${carla} |  | `,
		'55 11 80000-0001 | +5511800000001 |  | ',
		'Carla | to review |  | ',
	];
	await expectListed(`+55 (21) 99876-5432 | ${bruno} | form | `, ...byOffice);
	expect((await rows(table)).find(({ to }) => to === bruno)!.since).toEqual(first!.since);
	expect(columnsOf(await rows('To review'), 'number', 'to', 'words')).toEqual(['99876 |  | ']);

	const reads = await (await consent.importExample(replies)).publish();
	const before = sandbox.accepted().length;
	const stops = ['stop', 'SAIR.', 'párar', '¡Cancelar!', 'Baja'];
	const sent = (await send('Reply STOP to opt out', [{ to: '+5511900300009' }], {}))!;
	const [{ messageId = '' } = {}] = jsonOf(sent, 'Gateway');
	await sandbox.deliver([
		{ from: `${ana}@example`, text: ' Párar!' },
		{ from: bruno, text: 'Start.' },
		{ from: carla, text: 'START' }, // a number that the office entered stays on the list
		{ from: '123456789012345@lid', text: 'baja' },
		{ from: '555181234567@c.us', text: 'Stop' }, // as a chat app keeps +55 51 98123-4567
		{ from: '+5551991234567', text: 'Obrigado, please do not stop' },
		{ from: '+5551991234567', text: 'obrigado' },
		{ from: '+5551991234567', text: 'Ajuda' },
		...stops.map((text, index) => ({ from: `551190030000${index}`, text })),
		{ from: '5511800000002', text: 'STOP' },
		{ messageId: 'm-1', to: '+5551991234567', status: 'delivered', text: 'STOP' },
		{ messageId: 'm-1', from: '+5551991234567', status: 'delivered', text: 'STOP' },
		{ messageId, from: '+5511900300009', text: 'STOP' },
	]);
	await reads.runs(1);
	await expectListed(
		...byOffice,
		`555181234567@c.us | +5551981234567 | reply | Stop`,
		`${ana}@example | ${ana} | reply |  Párar!`,
		...stops.map((text, i) => `551190030000${i} | +551190030000${i} | reply | ${text}`),
		'5511800000002 | +5511800000002 | reply | STOP',
	);
	const columns = ['number', 'to', 'holds', 'words'];
	expect(columnsOf(await rows('To review'), ...columns)).toEqual(
		[
			'99876 |  | marketing | ',
			'123456789012345@lid |  | marketing | baja',
			'5511800000002 | +5511800000002 | marketing | STOP',
			'+5551991234567 | +5551991234567 | marketing | Obrigado, please do not stop',
			'+5551991234567 | +5551991234567 |  | obrigado',
		].sort(),
	);
	const confirmed = [ana, '+5551981234567', ...stops.map((_, i) => `+551190030000${i}`)];
	const texts = sandbox.accepted().slice(before + 1);
	expect(
		texts
			.filter(({ text }) => text.includes(done))
			.map(({ to }) => to)
			.sort(),
	).toEqual(confirmed.sort());
	expect(texts.filter(({ text }) => text.includes('help@')).map(({ to }) => to)).toEqual([
		'+5551991234567',
	]);
	expect(texts).toHaveLength(confirmed.length + 1);
	expect(await sendAll('Then')).toMatchObject([blocked, { to: bruno }, blocked]);

	await sandbox.deliver({ from: ana, text: 'STOP' }); // again: of the same day, it is not confirmed again
	await reads.runs(2);
	const evidence = (await rows('Consents')).filter(({ to }) => to === ana || to === bruno);
	expect(columnsOf(evidence, 'to', 'what', 'source', 'wording')).toEqual(
		[
			...[`${ana} | out | reply | reply-1`, `${ana} | out | reply | reply-1`],
			...[`${bruno} | out | form | form-1`, `${bruno} | out | form | form-1`],
			`${bruno} | back | reply | reply-1`,
		].sort(),
	);
	expect(
		sandbox.accepted().filter(({ to, text }) => to === ana && text.includes(done)),
	).toHaveLength(1);

	const told = () => sandbox.accepted().filter(({ text }) => text.includes('replies to read'));
	await reads.execute('Every 15 Minutes'); // the colleague is Ana, whom the list does not let through
	expect(told()).toEqual([]);
	await reads.unpublish();
	await example.unpublish(); // so that the list does not answer
	await client.updateCredential(credential.id, sandbox.credential);
	for (let times = 0; times < 2; times++) await reads.execute('Every 15 Minutes');
	expect(told().map(({ text }) => text)).toEqual(['Acme: replies to read in "To review": 5.']);
}

it('who wrote STOP gets no more: in a Data Table', async () => await stopsWho(consent.dataTable));

it('one-time-code: for a number on the list, the pages are the same', async () => {
	const { client, sandbox, url } = host;
	const list = await publish('do-not-contact-data-table');
	const davi = '+5541977776666';
	await nextPage(url, list, 'STOP Form', davi);
	const example = await (await consent.importExample('one-time-code')).publish();
	for (const number of [davi, davi, '+5511900800001']) {
		const page = await nextPage(url, example, 'Number Form', number);
		expect(page.html).toContain('We texted it to your number.');
		expect((await goOn(page, '1')).html).toContain('That was not the code.');
	}
	expect(sandbox.accepted().map(({ to }) => to)).not.toContain(davi);
	await client.updateCredential(host.credential.id, sandbox.credential);
});

describeInPostgres(consent, () => {
	it('who wrote STOP gets no more', async () => await stopsWho(consent.inPostgres));

	it('12 segments a day: of several executions at once, and not those of a dry run', async () => {
		await publish('limit-per-day-postgresql', (workflow) =>
			enter(workflow, 'Limits', { perDay: 12, perMonth: 20 }),
		);
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
	const { client, sandbox, url } = host;
	const everybody = numbered(6, 5511900200001);
	const [willing, full, unasked, stopped, imported, returned] = everybody.map(({ to }) => to);
	const example = await publish('permission-to-send');
	const idOf = async (name: string) =>
		await client.createWorkflow(
			chain(
				name,
				...items(...everybody),
				smsToEach(host.credential, { text: '={{ $workflow.name }} {{ $execution.id }}' }),
			),
		);
	const texted = async (id: string) => {
		const execution = await client.run(id);
		await client.waitForExecution(execution);
		const sent = sandbox.accepted().filter(({ text }) => text.endsWith(` ${execution}`));
		return sent.map(({ to }) => to).sort();
	};
	const [codes, copy, sale] = [await idOf('Codes'), await idOf('Codes'), await idOf('Natal')];
	expect(await texted(codes)).toEqual([]); // until its ID is entered
	await addRows(client, 'Service workflows', [{ workflow: codes, name: 'Codes', by: 'Ana' }]);
	expect(await texted(codes)).toEqual(everybody.map(({ to }) => to));
	expect(await texted(copy)).toEqual([]);
	expect(await texted(sale)).toEqual([]);

	const page = await nextPage(url, example, 'Opt-In Form', willing!);
	expect(page.html).toContain('You will get our offers by SMS.');
	const day = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
	const recorded = async (to: string, what: string, source: string, at: string) =>
		await addRows(client, 'Consents', [{ to, what, source, at, wording: 'test', execution: '1' }]);
	await recorded(full!, 'in', 'form', day(-9));
	await recorded(stopped!, 'in', 'form', day(-9));
	await recorded(stopped!, 'out', 'reply', day(-8));
	await recorded(imported!, 'out', 'reply', day(-20));
	await recorded(imported!, 'in', 'import', day(-9));
	await recorded(unasked!, 'back', 'reply', day(-9)); // START, where there was no consent
	for (const [index, what] of ['in', 'out', 'back'].entries())
		await recorded(returned!, what, 'reply', day(index - 9));
	await addRows(client, table, [{ number: stopped!, to: stopped! }]);
	const counted = async (to: string, times: number) =>
		await addRows(
			client,
			'Messages a week',
			Array(times).fill({ to, workflow: 'another', at: '' }),
		);
	await counted(full!, 3);
	await counted(willing!, 2);
	expect(await texted(sale)).toEqual([willing, returned].sort());
	expect(await texted(codes)).toEqual(everybody.map(({ to }) => to).filter((to) => to !== stopped));
	await addRows(client, 'To review', [
		{ number: returned!, to: returned!, words: 'please', holds: 'marketing' },
		{ number: willing!, to: willing!, words: 'thanks', holds: '' },
	]);
	expect(await texted(sale)).toEqual([]);
	const reasons = (await rowsOf(client, 'Skipped')).slice(-6);
	expect(columnsOf(reasons, 'number', 'workflow', 'name', 'why')).toEqual(
		Object.entries({
			[willing!]: 'too many messages in seven days',
			[full!]: 'too many messages in seven days',
			[unasked!]: 'no consent',
			[stopped!]: 'opted out',
			[imported!]: 'no consent',
			[returned!]: 'a reply to review',
		}).map(([number, why]) => `${number} | ${sale} | Natal | ${why}`),
	);
	await addRows(client, table, [{ number: `+55 (11) ${willing!.slice(5)}` }]); // read by the next check
	await texted(codes);
	expect(await texted(codes)).not.toContain(willing);
});

it('permission-to-send: lists at once, and one that fails: never more than three a week to a person', async () => {
	const { client, sandbox } = host;
	const everybody = numbered(8, 5511900700001);
	const example = await publish('permission-to-send');
	const list = async (name: string, options: INodeParameters = {}) =>
		await client.createWorkflow(
			chain(name, ...items(...everybody), smsToEach(host.credential, { options })),
		);
	const run = async (id: string) => await client.waitForExecution(await client.run(id));
	const counted = async () =>
		(await rowsOf(client, 'Messages a week')).filter(({ to }) =>
			everybody.some((each) => each.to === to),
		).length;
	const dry = await list('Dry', { dryRun: true });
	await run(dry); // creates the tables
	const consents = everybody.map(({ to }) => ({
		to,
		what: 'in',
		source: 'form',
		at: '2026-01-01',
	}));
	await addRows(client, 'Consents', consents);
	await run(dry);
	expect(await counted()).toBe(0);

	sandbox.fault({ to: everybody[0]!.to, times: 1, fault: { refuse: 'Sem saldo.' } });
	const lists = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(async (name) => await list(name)));
	await Promise.all(lists.map(run));
	const times = everybody.map((each) => sandbox.timesAccepted(each));
	expect(times).toEqual([2, ...Array<number>(7).fill(3)]); // the refused one stays counted
	await run(lists[0]!);
	expect(sandbox.accepted()).toHaveLength(23);
	expect(await counted()).toBe(24); // what was not allowed is not counted
	const wouldBeSent = outputOf(await run(dry), 'Gateway').filter(({ json }) => json.wouldSend);
	expect(wouldBeSent).toEqual([]);

	await addRows(client, table, [{ number: everybody[1]!.to, to: everybody[1]!.to }]);
	const questions = everybody.map(({ to }) => ({
		...{ to, again: true, node: 'Gateway', execution: '1' },
		workflow: { id: lists[0], name: 'A' },
	}));
	const asked = await client.execute(chain('Again', ...items(...questions), call(example.id)));
	const answers = outputOf(asked, 'Call').map(({ json }) => [json.to, json.allowed]);
	expect(answers.sort()).toEqual(everybody.map(({ to }, index) => [to, index !== 1]));
	expect(await counted()).toBe(24); // it was counted when it was asked first
});
