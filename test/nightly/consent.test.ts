/** What people answer, and what follows from it: nobody who wants no messages gets one, whatever happens. */
import type { IDataObject } from 'n8n-workflow';
import { outputOf } from '../../tools/host';
import { replies } from '../e2e/examples/replies';
import { numbered } from '../e2e/support/workflows';
import { table, describeInPostgres, useConsent, type Store } from './consentStores';

const consent = useConsent();
const { host, publish, send } = consent;

const confirmation = /no more messages from us/;

/** Each in a delivery of its own, and twice. */
async function repliesArrive({ file, replies: reading, rows }: Store): Promise<void> {
	const { sandbox } = host;
	await publish(file);
	const reads = await (await consent.importExample(reading)).publish();
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
}

it('155 replies, each twice: no stop is lost, and each is confirmed once, in a Data Table', async () =>
	await repliesArrive(consent.dataTable));

it('reports of 1,000 own texts that contain STOP change nothing, echoed or not', async () => {
	const { client, sandbox, credential } = host;
	await client.updateCredential(credential.id, sandbox.credential);
	const text = 'Acme: our sale begins.\nSTOP\nReply STOP to opt out.';
	const reads = await (await consent.importExample('stop-by-reply')).publish();
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
	expect([
		(await consent.dataTable.rows('Consents')).length,
		(await consent.dataTable.rows('To review')).length,
	]).toEqual(before);
	expect(sandbox.accepted()).toHaveLength(1000);
});

describeInPostgres(consent, () => {
	it('155 replies, each twice: no stop is lost, and each is confirmed once', async () =>
		await repliesArrive(consent.inPostgres));
});
