/** What n8n shows above the output after a list was sent. */
import { SEEDS } from '../../../tools/sandbox';
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { hintsOf, numbers, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const items = numbers(6);
const onError = 'continueRegularOutput';

const run = async (action: ActionOptions = {}) =>
	hintsOf(await gateway.run('sendSms', { items, onError, ...action }));

it('counts every kind of outcome, says what to do, and shows no secret', async () => {
	deduplication.reset();
	const options = onceBy('={{ $json.key ?? $json.to }}');
	const more = [...items, { to: '12' }, { to: items[0]!.to }];
	gateway.sandbox.fault({ to: items[1]!.to, fault: { status: 400, body: SEEDS.apiKey } });
	gateway.sandbox.fault({ to: items[2]!.to, fault: { status: 500 } });
	expect(await run({ items: more, options })).toEqual([
		{
			message:
				"Sent 4 of 8 (4 SMS segments). 1 may have been sent: check with 'Message: Get Status' before you send again. 2 not sent: see 'error' of each. 1 skipped: see 'reason' of each.",
			type: 'warning',
			location: 'outputPane',
		},
	]);
});

it('is brief where all went well', async () => {
	expect(await run()).toMatchObject([{ message: 'Sent 6 of 6 (6 SMS segments).', type: 'info' }]);
});

it('says of a dry run what would be sent', async () => {
	deduplication.reset();
	const text = 'a'.repeat(161);
	const more = [...items, { to: '12' }, { to: items[0]!.to }];
	const options = { ...onceBy('={{ $json.to }}'), dryRun: true };
	expect(await run({ items: more, options, parameters: { text } })).toEqual([
		{
			message: expect.stringMatching(
				/^Dry run: nothing was sent\. 6 of 8 would be sent \(12 SMS segments\)\. 2 would not: 1 refused, 1 .+\. See 'explanation' of each\.$/,
			),
			type: 'warning',
			location: 'outputPane',
		},
	]);
	expect(await run({ options: { dryRun: true } })).toMatchObject([
		{
			message: 'Dry run: nothing was sent. 6 of 6 would be sent (6 SMS segments).',
			type: 'info',
		},
	]);
	expect(gateway.sandbox.requests()).toEqual([]);
});

it.each([
	[{}, 'Sent 6 of 6 (6 SMS segments).'],
	[{ dryRun: true }, 'Dry run: nothing was sent. 6 of 6 would be sent (6 SMS segments).'],
])('counts by country where there are several, with %j', async (options, said) => {
	const abroad = [...items.slice(0, 3), { to: '+51991234567' }, { to: '+51991234568' }];
	expect(await run({ items: [...abroad, { to: '+12025550143' }], options })).toMatchObject([
		{
			message: `${said} By country: 3 Brazil; 2 Peru (+51): items 3, 4; 1 United States (+1): item 5. The first item is item 0.`,
			type: 'info',
		},
	]);
});

it.each([
	[{}, 'Sent 6 of 6 (6 SMS segments).'],
	[{ dryRun: true }, 'Dry run: nothing was sent. 6 of 6 would be sent (6 SMS segments).'],
])('names the number that a whole list goes to, with %j', async (options, said) => {
	const parameters = { to: '={{ $input.first().json.to }}' };
	const { to } = items[0]!;
	const howTo = "if each item has its own, use an expression in 'To', e.g. {{ $json.phone }}.";
	expect(await run({ parameters, options })).toMatchObject([
		{ message: `${said} All to one number, ${to}: ${howTo}`, type: 'info' },
	]);
});

it('keeps apart what was only shown', async () => {
	const dryRun = '={{ $itemIndex > 0 }}';
	expect(await run({ items: items.slice(0, 3), options: { dryRun } })).toMatchObject([
		{ message: 'Sent 1 of 3 (1 SMS segment). 2 only shown, in a dry run.' },
	]);
});

describe('one message', () => {
	it('that was sent needs no hint', async () => {
		expect(await run({ items: items.slice(1, 2) })).toEqual([]);
	});

	// It may have been left on.
	it.each([
		['+5511912345678', '1 of 1 would be sent (1 SMS segment).', 'info'],
		[
			'12',
			"0 of 1 would be sent. 1 would not: 'To' is too short for Brazil (+55): '12'.",
			'warning',
		],
	])('in a dry run says so: %s', async (to, said, type) => {
		expect(await run({ items: [{ to }], options: { dryRun: true } })).toMatchObject([
			{ message: `Dry run: nothing was sent. ${said}`, type },
		]);
	});
});

it('shows nothing for what is not sent to people', async () => {
	expect(hintsOf(await gateway.run('getSmsStatus', { items }))).toEqual([]);
});
