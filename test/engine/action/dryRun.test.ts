/** 'Dry Run': its output, and that nothing is sent. test/fuzz checks that it is right. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { isChatApp, parametersFor } from '../../../tools/shared/operations';
import { deduplication } from '../harness';
import { jsonOf, numbers, sends, to, useGateway, type ActionId } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const count = () => gateway.sandbox.requests().length;
const options = { dryRun: true };

describe.each(sends)('%s', (id) => {
	it('says what would be sent', async () => {
		const run = await gateway.run(id, { items: [{ to: '+55 11 91234-5678' }], options });
		const { text } = parametersFor(id);
		expect(jsonOf(run)).toEqual([
			{
				...{ dryRun: true, wouldSend: true, to, country: 'BR', numberType: 'mobile' },
				...(isChatApp(id)
					? { channel: 'chatApp' }
					: { channel: 'sms', segments: 1, encoding: 'GSM-7' }),
				...(text !== undefined && { text }),
				...(id === 'sendMedia' && { linkHost: 'example.com' }),
			},
		]);
		expect(count()).toBe(0);
	});
});

it('shows what was made of the text and the caption', async () => {
	const say = async (id: ActionId, parameters: INodeParameters, more = {}) =>
		jsonOf(await gateway.run(id, { options: { ...options, ...more }, parameters }))[0];
	const text = '=Olá, {{ $json.nobody }} ção!';
	expect(await say('sendSms', { text }, { characters: 'plainWithoutAccents' })).toMatchObject({
		text: 'Ola,  cao!', // with nothing where the name belongs
	});
	// What 'Characters' saves, whichever of its choices is set.
	const quoted = { text: `“Olá” ${'x'.repeat(100)}` };
	const segmentsBy = { asEntered: 2, plain: 2, plainWithoutAccents: 1 };
	for (const characters of Object.keys(segmentsBy)) {
		expect(await say('sendSms', quoted, { characters })).toMatchObject({ segmentsBy });
	}
	expect(await say('sendSms', { text: 'Olá' })).not.toHaveProperty('segmentsBy');
	const mediaUrl = 'https://files.example.com/r.pdf?token=secret';
	const media = await say('sendMedia', { caption: 'Your receipt', mediaUrl });
	expect(media).toMatchObject({ caption: 'Your receipt', linkHost: 'files.example.com' });
	expect(JSON.stringify(media)).not.toContain('secret');
});

it('says when a message would leave, as scheduled or within the hours', async () => {
	const scheduleAt = '2090-11-25T20:00:00-05:00'; // a Saturday
	const windows = { values: [{ from: '09:00', to: '18:00' }] };
	const hours = { windows, timezone: 'America/New_York' };
	const at = async (more: IDataObject) =>
		jsonOf(
			await gateway.run('sendSms', {
				parameters: { scheduleAt },
				options: { ...options, ...more } as never,
			}),
		);
	expect(await at({})).toMatchObject([{ wouldSend: true, sendAt: scheduleAt }]);
	expect(await at({ sendBetween: { values: hours } })).toMatchObject([
		{ wouldSend: true, sendAt: '2090-11-27T09:00:00-05:00' },
	]);
	expect(count()).toBe(0);
});

it("of n8n's Retry leaves what failed to a real one", async () => {
	const items = numbers(3);
	gateway.sandbox.fault({ to: items[1]!.to, times: 1, fault: { status: 400 } });
	const failed = await gateway.run('sendSms', { items, rules: { maxConcurrency: 1 } });
	const stored = deduplication.dump();
	const dry = await gateway.retry(failed, 'sendSms', { options, currentWorkflow: true });
	expect(jsonOf(dry)).toMatchObject(items.map(() => ({ wouldSend: true })));
	expect(deduplication.dump()).toEqual(stored);
	expect(jsonOf(await gateway.retry(failed, 'sendSms'))).toMatchObject(items);
	for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
});
