/** What people answer, and what follows from it: nobody who wants no messages gets one, whatever happens. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../tools/host';
import { chain, gateway, items } from '../../tools/shared/workflows';
import { toolAnswers, useModel } from '../e2e/agent/model';
import { agent, connectSms } from '../e2e/agent/tools';
import { replies } from '../e2e/examples/replies';
import { numbered } from '../e2e/support/workflows';
import { table, describeInPostgres, useConsent, type Store } from './consentStores';

const consent = useConsent();
const { host, publish, send } = consent;

const confirmation = /no more messages from us/;

/** Each in a delivery of its own, and twice. */
async function repliesArrive({ file, replies: reading, rows }: Store): Promise<void> {
	const { sandbox } = host;
	const list = await publish(file);
	const reads = await consent.importExample(reading);
	await reads.publish();
	const people = numbered(replies.length, 5511900400001).map(({ to }, index) => ({
		to: String(to),
		...replies[index]!,
	}));
	const deliver = async ({ to, text }: (typeof people)[number]) =>
		await sandbox.deliver({ from: to.slice(1), text, messageId: `in-${to}` });
	for (const each of people) await Promise.all([deliver(each), deliver(each)]);
	await reads.runs(people.length * 2);
	const blocked = new Set((await rows(table)).map(({ to }) => to));
	const toldOf = new Set((await rows('To review')).map(({ to }) => to));
	const confirmed = sandbox.accepted().filter(({ text }) => confirmation.test(text));
	const wrong = people.filter(({ to, meaning }) => {
		const confirmations = confirmed.filter((each) => each.to === to).length;
		if (confirmations !== Number(blocked.has(to))) return true;
		if (blocked.has(to)) return meaning !== 'stop';
		return !toldOf.has(to) && !['start', 'help'].includes(meaning); // no reply is lost
	});
	expect(wrong.map(({ text }) => text)).toEqual([]);
	const evidence = await rows('Consents');
	const started = evidence.filter(({ what }) => what === 'back' || what === 'in');
	const starts = people.filter(({ meaning }) => meaning === 'start').map(({ to }) => to);
	expect([...new Set(started.map(({ to }) => to))].sort()).toEqual(starts);

	const stopped = people.filter(({ to }) => blocked.has(to)).map(({ to }) => ({ to }));
	expect(stopped.length).toBeGreaterThan(15);
	const sent = await send('Acme: our sale begins. Reply STOP to opt out.', people);
	const ids = outputOf(sent, 'Gateway').flatMap(({ json }) => String(json.messageId ?? '') || []);
	expect(ids).toHaveLength(people.length - stopped.length);
	await reads.unpublish();
	await list.unpublish();
}

it('155 replies, each twice: no stop is lost, and each is confirmed once, in a Data Table', async () =>
	await repliesArrive(consent.dataTable));

it('reports of 1,000 own texts that contain STOP change nothing, echoed or not', async () => {
	const { client, sandbox, credential } = host;
	await client.updateCredential(credential.id, sandbox.credential);
	const text = 'Acme: our sale begins.\nSTOP\nReply STOP to opt out.';
	const reads = await consent.importExample('stop-by-reply');
	await reads.publish();
	const before = [
		(await consent.dataTable.rows('Consents')).length,
		(await consent.dataTable.rows('To review')).length,
	];
	const sent = await send('STOP', numbered(1000, 5511900500001));
	const own = outputOf(sent, 'Gateway').map(({ json }) => json);
	expect(own).toHaveLength(1000);
	const report = ({ messageId, to }: IDataObject) => ({
		messageId,
		to: String(to).slice(1),
		text: 'STOP',
	});
	await sandbox.deliver(own.map((each) => ({ ...report(each), status: 'sent' })));
	await sandbox.deliver(own.map((each) => ({ ...report(each), from: '5511900000000', text })));
	await sandbox.deliver(own.map((each) => ({ ...report(each), from: String(each.to).slice(1) })));
	await sandbox.deliver(own.map(report));
	await reads.runs(4);
	await reads.unpublish();
	expect([
		(await consent.dataTable.rows('Consents')).length,
		(await consent.dataTable.rows('To review')).length,
	]).toEqual(before);
	expect(sandbox.accepted()).toHaveLength(1000);
});

/** The number of one person, as people, lists, chat apps and services write it. */
const spellings = [
	...['+5571991234567', '005571991234567', '+55 71 99123-4567', '+55 (71) 99123-4567'],
	...['71 99123-4567', '(71) 99123-4567', '071 99123 4567', '5571991234567'],
	...['+55 71 9123-4567', '71991234567', '557191234567@c.us', '557191234567'],
];

const model = useModel(host, () => [spellings.map((To) => ({ To, Text: 'Hello' }))]);

const operations: Array<[string, string, INodeParameters]> = [
	['sendSms', 'SMS', { text: 'Hello' }],
	['sendMedia', 'media', { mediaUrl: 'https://example.com/a.png' }],
	['sendAndWait', 'a question', { message: 'Hello?', responseType: 'approval' }],
];

async function isBlockedHoweverWritten({ file, replies: reading }: Store): Promise<void> {
	const { client, sandbox, credential } = host;
	const list = await publish(file);
	const rules = { doNotContactWorkflowId: list.id, defaultCountryCode: '55' };
	await client.updateCredential(credential.id, { ...sandbox.credential, ...rules });
	const reads = await consent.importExample(reading);
	await reads.publish();
	const newRange = '5511800000002';
	const keep = { options: { keepNumberAsEntered: true } };
	const sendToNewRange = async () =>
		outputOf(await send('New', [{ to: newRange }], keep), 'Gateway').map(({ json }) => json);
	expect(await sendToNewRange()).toMatchObject([{ to: `+${newRange}`, segments: 1 }]);
	await sandbox.deliver([
		{ from: '5571991234567', text: 'STOP' },
		{ from: newRange, text: 'STOP' },
	]);
	await reads.runs(1);
	expect(await sendToNewRange()).toMatchObject([{ skipped: true, reason: 'doNotContact' }]);
	const confirmed = sandbox.accepted().length;
	expect(confirmed).toBe(2); // the first to the new range, and a confirmation
	for (const [operation, , parameters] of operations) {
		const asked = operation === 'sendAndWait' ? spellings.slice(0, 1) : spellings; // one at a time
		const rows = items(...asked.map((to) => ({ to })));
		for (const options of [{}, { keepNumberAsEntered: true }]) {
			const all = { to: '={{ $json.to }}', ...parameters, options };
			const more = { onError: 'continueRegularOutput' as const, webhookId: operation };
			const sends = gateway(credential, 'message', operation, all, more);
			const ended = await client.execute(chain(operation, ...rows, sends));
			const results = outputOf(ended, 'Gateway').map(({ json }) => json);
			const refused = results.flatMap(({ error }) => (error as IDataObject)?.message ?? []);
			const skipped = results.filter(({ reason }) => reason === 'doNotContact');
			expect(skipped.length + refused.length).toBe(asked.length);
			const withoutCode = "'To' seems to lack its country code: '71991234567'";
			expect([operation, refused]).toEqual([
				operation,
				'keepNumberAsEntered' in options && asked === spellings ? [withoutCode] : [],
			]);
		}
	}
	// Each number in a call of its own, all of them in one turn.
	const asksAgent = chain('Agent', ...items({ count: spellings.length }), agent('Text them.'));
	connectSms(asksAgent, model.openAi, credential);
	await client.execute(asksAgent);
	const answers = toolAnswers(model);
	expect(answers).toHaveLength(spellings.length);
	for (const answer of answers) expect(answer).toContain('"reason":"doNotContact"');
	expect(sandbox.accepted()).toHaveLength(confirmed);
	await reads.unpublish();
	await list.unpublish();
}

it('a number that opted out gets nothing, in any spelling', async () =>
	await isBlockedHoweverWritten(consent.dataTable));

describeInPostgres(consent, () => {
	it('155 replies, each twice: no stop is lost, and each is confirmed once', async () =>
		await repliesArrive(consent.inPostgres));

	it('a number that opted out gets nothing, in any spelling', async () =>
		await isBlockedHoweverWritten(consent.inPostgres));
});
