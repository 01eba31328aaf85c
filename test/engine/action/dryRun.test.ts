/** 'Dry Run': its output, and that nothing is sent. test/fuzz checks that it is right. */
import type { INodeParameters } from 'n8n-workflow';
import { onceBy } from '../../../tools/shared/deduplication';
import { isChatApp, parametersFor } from '../../../tools/shared/operations';
import { deduplication } from '../harness';
import {
	hintsOf,
	jsonOf,
	numbers,
	operationIds,
	pairs,
	sends,
	to,
	useGateway,
	type ActionId,
} from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const count = () => gateway.sandbox.requests().length;
const options = { dryRun: true };
const brazilian = { to, person: to, country: 'BR', numberType: 'mobile' };

describe.each(sends)('%s', (id) => {
	const channel = isChatApp(id) ? 'chatApp' : 'sms';
	const length = isChatApp(id) ? {} : { segments: 1, encoding: 'GSM-7' };
	const { text } = parametersFor(id);
	const content = {
		...(text !== undefined && { text }),
		...(id === 'sendMedia' && {
			...{ mediaType: 'image', mimeType: 'image/jpeg', linkHost: 'example.com' },
		}),
		...(id === 'sendAudio' && { mimeType: 'audio/ogg' }),
	};
	const whole = { channel, ...length, ...content };

	it('says what would be sent', async () => {
		const items = [{ to: '+55 11 91234-5678' }];
		const more = { extraFields: '={{ { sender: "ACME" } }}' };
		const run = await gateway.run(id, { items, options: { ...options, ...more } });
		expect(jsonOf(run)).toEqual([
			{ dryRun: true, wouldSend: true, ...brazilian, ...whole, extraFields: { sender: 'ACME' } },
		]);
		expect(count()).toBe(0);
	});
});

it('says what keeps a message from being sent, each in the place of its item', async () => {
	const keyed = onceBy('={{ $json.key }}');
	await gateway.run('sendSms', { items: [{ to, key: 'sent' }], options: keyed });
	gateway.sandbox.fault({ times: 1, fault: { status: 500 } });
	await gateway.run('sendSms', { items: [{ to, key: 'doubt' }], options: keyed });
	const before = [deduplication.dump(), count()];
	const items = [
		{ to, key: 'sent' },
		{ to: '12', key: 'bad' },
		{ to, key: 'doubt' },
		{ to: '+1 202 555 0143', key: 'sent' },
		{ to, key: 'new' },
		{ to, key: 'new' },
	];
	const run = await gateway.run('sendSms', { items, options: { ...keyed, ...options } });
	const kept = { dryRun: true, wouldSend: false };
	const duplicate = {
		...{ ...kept, deduplication: 'skipped', skipped: true, reason: 'duplicate' },
		deduplicationKey: expect.any(String),
		explanation: expect.stringMatching(/accepted before$/),
	};
	expect(jsonOf(run)).toMatchObject([
		duplicate,
		{ ...kept, to: '12', reason: 'refused', hint: expect.stringContaining('Enter one number') },
		{ ...kept, deduplication: 'inDoubt', reason: 'unknown' },
		{ ...kept, reason: 'refused', explanation: expect.stringContaining('to another number') },
		{ dryRun: true, wouldSend: true, deduplication: 'fresh' },
		duplicate,
	]);
	expect(pairs(run.outputs[0])).toEqual(items.map((_, index) => index));
	expect([deduplication.dump(), count()]).toEqual(before);
});

it('shows what was made of the text and the caption', async () => {
	const say = async (id: ActionId, parameters: INodeParameters, more = {}) =>
		jsonOf(await gateway.run(id, { options: { ...options, ...more }, parameters }))[0];
	const rest = 'x'.repeat(100);
	const text = `=Olá, {{ $json.nobody }} ção! ${rest}`;
	expect(await say('sendSms', { text }, { characters: 'plain' })).toMatchObject({
		text: `Ola,  cao! ${rest}`, // with nothing where the name belongs
	});
	// What 'Characters' saves, whichever of its choices is set.
	const quoted = { text: `“Olá” ${rest}` };
	const segmentsBy = { asEntered: 2, plain: 1 };
	for (const characters of Object.keys(segmentsBy)) {
		expect(await say('sendSms', quoted, { characters })).toMatchObject({ segmentsBy });
	}
	expect(await say('sendSms', { text: 'Olá' })).not.toHaveProperty('segmentsBy');
	const mediaUrl = 'https://files.example.com/r.pdf?token=secret';
	const media = await say('sendMedia', { caption: 'Your receipt', mediaUrl });
	expect(media).toMatchObject({ caption: 'Your receipt', linkHost: 'files.example.com' });
	expect(JSON.stringify(media)).not.toContain('secret');
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

describe("the credential's test mode, in which everything that sends is a dry run", () => {
	const testMode = { testMode: true };
	const items = numbers(3);
	test.each([
		[1, '1 of 1 would be sent (1 SMS segment)'],
		[3, '3 of 3 would be sent (3 SMS segments)'],
	])('of %d, the hint names the credential that it is on in', async (count, said) => {
		const run = await gateway.run('sendSms', { items: numbers(count), credential: testMode });
		const message = `Test Mode is on in the credential 'Account': nothing was sent. ${said}.`;
		expect(hintsOf(run)).toEqual([{ message, type: 'info', location: 'outputPane' }]);
	});

	test.each(operationIds.filter((id) => !sends.some((send) => send === id)))(
		'%s reaches nobody, so it works as ever, and asks no list',
		async (id) => {
			await gateway.run(id);
			const requests = gateway.sandbox.requests().map(({ path }) => path);
			gateway.sandbox.reset();
			const doNotContactWorkflowId = 'w-1'; // which cannot be called
			const run = await gateway.run(id, { credential: { ...testMode, doNotContactWorkflowId } });
			expect(run.error).toBeUndefined();
			expect(jsonOf(run)[0]).not.toHaveProperty('testMode');
			expect(gateway.sandbox.requests().map(({ path }) => path)).toEqual(requests);
		},
	);

	test('it is no test where the list of a real run goes on: nothing is sent again', async () => {
		const list = items.slice(0, 2);
		gateway.sandbox.fault({ skip: 1, times: 1, fault: { status: 400 } });
		const oneByOne = { maxConcurrency: 1 };
		const failed = await gateway.run('sendSms', { items: list, credential: oneByOne });
		expect(failed.error?.message).toBeDefined();
		const tried = gateway.sandbox.requests().length;
		const retried = await gateway.retry(failed, 'sendSms', { credential: testMode });
		expect(jsonOf(retried)).toMatchObject(list.map(() => testMode));
		expect(gateway.sandbox.requests()).toHaveLength(tried);
	});
});
