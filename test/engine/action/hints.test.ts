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
	const said =
		/^4 of 8 were sent \(4 SMS segments\), 1 may have been sent, 2 failed \(\+\d+ and row 7 '12'\), 1 was skipped: see 'error' or 'reason' of each\. Check the message at /;
	const message = expect.stringMatching(said) as string;
	expect(await run({ items: more, options })).toEqual([
		{ message, type: 'warning', location: 'outputPane' },
	]);
});

it.each([
	['4 of 4 were sent (4 SMS segments), to 2 numbers.', ['0', '0', '1', '1']],
	['3 of 3 were sent (3 SMS segments), to 1 number.', ['2', '2', '2']],
	[
		"3 of 4 were sent (3 SMS segments), to 1 number, 1 failed (row 4 '12'): see",
		['0', '0', '0', ''],
	],
	['2 of 2 were sent (2 SMS segments).', ['0', '1']],
])('counts the numbers where some get several: %s', async (said, which) => {
	const to = which.map((index) => ({ to: items[Number(index || NaN)]?.to ?? '12' }));
	const type = said.includes('failed') ? 'warning' : 'info';
	const message = expect.stringContaining(said) as string;
	expect(await run({ items: to })).toMatchObject([{ message, type }]);
	const shown = said.replace(/were sent/, 'would be sent').replace(/(, 1 failed.*)?: see|\.$/, '');
	const dry = expect.stringContaining(`Dry run: nothing was sent. ${shown}`) as string;
	expect(await run({ items: to, options: { dryRun: true } })).toMatchObject([
		{ message: dry, type },
	]);
});

it('keeps apart what was only shown', async () => {
	const dryRun = '={{ $itemIndex > 0 }}';
	const message =
		"1 of 3 was sent (1 SMS segment), 2 were only shown: see 'error' or 'reason' of each.";
	expect(await run({ items: items.slice(0, 3), options: { dryRun } })).toMatchObject([{ message }]);
});

describe('a text with a gap', () => {
	const nome = '{{ $json.body?.nome }}';
	const textOf = (text: string) => ({ parameters: { text } });

	it.each([
		...[`=Hello ${nome}, your order`, `=Hello ${nome} and hello`, `=${nome}, hello`],
		...[`=Hello ${nome}`, '=Hello {{ $json.price * 2 }}.'],
	])('is sent, and named: %s', async (text) => {
		const [gap] = text.match(/\{\{.*\}\}/) as [string];
		const more = [{ to: items[0]!.to, body: { nome: 'Ana' }, price: 1 }, items[1]!, items[2]!];
		const hints = await run({ items: more, ...textOf(text) });
		const message = `3 of 3 were sent (3 SMS segments). 2 of 3 texts have a gap: ${gap} gave nothing.`;
		expect(hints).toMatchObject([{ message, type: 'warning' }]);
	});

	it('is said of one message, too', async () => {
		expect(await run({ items: [items[1]!], ...textOf(`=Hello ${nome}, hi`) })).toMatchObject([
			{ message: expect.stringMatching(/1 of 1 texts has a gap: .*nome \}\} gave nothing\.$/) },
		]);
	});

	it.each([
		['={{ $json.caption }}', [expect.stringContaining('{{ $json.caption }} gave nothing.')]],
		["={{ $json.caption ?? '' }}", []],
	])('is a caption of nothing, unless it says so itself: %s', async (caption, said) => {
		const ended = await gateway.run('sendMedia', { items: [items[1]!], parameters: { caption } });
		expect(hintsOf(ended).map(({ message }) => message)).toEqual(said);
	});

	it.each([
		...['=Hello {{ $json.x ?? "" }}, hi', '=Hello , hi'],
		...['=Hi {{ $json.to }} , ', '=Hi{{ $json.x }}'],
	])('has a part that gives nothing, else one message needs no hint: %s', async (text) => {
		expect(await run({ items: [items[1]!], ...textOf(text) })).toEqual([]);
	});
});

describe('a key of the moment', () => {
	const said =
		"1 of 1 was sent (1 SMS segment). 'Key' changes each time it is read, so it cannot keep a message from being sent twice. Use a value that stays the same, e.g. {{ $json.orderId }}.";
	const keyed = async (key: string) => await run({ items: [items[1]!], options: onceBy(key) });

	it.each(['={{ $now }}', '={{ $json.to }}-{{ Date.now() }}', '={{ Math.random() }}'])(
		'is sent, and named: %s',
		async (key) => expect(await keyed(key)).toMatchObject([{ message: said, type: 'warning' }]),
	);

	it.each([
		...[
			'=reminder {{ $today }} {{ $json.to }}',
			'={{ $execution.id }}',
			'={{ $json.to }} {{ $today }}',
		],
		...['=welcome {{ $json.to }}', '={{ $itemIndex }} {{ $today }}', '={{ $json.to.slice(-6) }}'],
	])('is none of these: %s', async (key) => expect(await keyed(key)).toEqual([]));

	const isNumber =
		" 'Key' is the number itself: each person gets one message only. Add what it is about, e.g. a date.";
	const isPlace =
		" 'Key' is the item's place in the list: the next list is skipped. Use what names the message, e.g. {{ $json.orderId }}.";

	it.each([
		['={{ $json.to }}', isNumber],
		['={{ $json.to.slice(3, 5) }} {{ $json.to.slice(5) }}', isNumber],
		['=0{{ $json.to.slice(3) }}', isNumber],
		['={{ $itemIndex }}', isPlace],
		['=row-{{ $itemIndex + 1 }}', isPlace],
	])('nor what keeps other messages from being sent, which is said: %s', async (key, warning) => {
		deduplication.reset();
		const message = `1 of 1 was sent (1 SMS segment).${warning}`;
		expect(await keyed(key)).toMatchObject([{ message, type: 'warning' }]);
	});
});

describe('the time of a scheduled SMS', () => {
	const timezone = 'America/Sao_Paulo';
	const zoneless =
		"(this workflow's America/Sao_Paulo), without a time zone: your service reads it in its own. Set 'SMS Schedule Timezone' in the credential.";
	const item = items[1]!;
	const at = '2090-06-01T09:00:00';
	const parameters = { scheduleAt: at };
	const scheduled = async (action: ActionOptions = {}) =>
		await run({ items: [item], timezone, parameters, ...action });
	/** From 09:00 in Lisbon, which is 05:00 in São Paulo. */
	const sendBetween = {
		values: {
			windows: { values: [{ from: '09:00', to: '18:00', days: [1, 2, 3, 4, 5, 6, 7] }] },
			timezone: 'Europe/Lisbon',
		},
	} as never;
	const evening = { scheduleAt: '2090-06-01T21:00:00' };

	it.each<[string, string, ActionOptions]>([
		['Schedule At', 'Sent as 09:00', {}],
		['Schedule At with an offset', 'Sent as 09:00', { parameters: { scheduleAt: `${at}-03:00` } }],
		['Send Between', 'Sent as 05:00', { parameters: evening, options: { sendBetween } }],
		['Schedule At, in a dry run', 'Would be sent as 09:00', { options: { dryRun: true } }],
	])('by %s is said if no zone is', async (_, said, action) => {
		const message = expect.stringMatching(/ \(1 SMS segment\)\. /) as string;
		const [hint, ...more] = await scheduled(action);
		expect([hint, more]).toMatchObject([{ message, type: 'warning' }, []]);
		expect(hint!.message.endsWith(`segment). ${said} ${zoneless}`)).toBe(true);
	});

	it('is that of the first one that is scheduled, once a list', async () => {
		const times = ['', '2090-06-01T10:30:00', at];
		const list = times.map((time, index) => ({ to: items[index]!.to, at: time }));
		const message = `3 of 3 were sent (3 SMS segments). Sent as 10:30 ${zoneless}`;
		const action = { items: list, parameters: { scheduleAt: '={{ $json.at }}' } };
		gateway.sandbox.fault({ to: list[1]!.to, times: 1, fault: { delayMs: 200 } });
		expect(await scheduled(action)).toMatchObject([{ message }]);
		gateway.sandbox.fault({ to: list[1]!.to, fault: { status: 400 } });
		expect(await scheduled(action)).toMatchObject([
			{ message: expect.stringContaining(` Sent as 09:00 ${zoneless}`) },
		]);
	});

	it('stands beside what else there is to say', async () => {
		const text = '=Hello {{ $json.body?.nome }}, hi';
		const options = onceBy('={{ $now }}');
		const [{ message } = {}] = await scheduled({ parameters: { ...parameters, text }, options });
		expect(message).toMatch(/has a gap.* 'Key' changes each time.* Sent as 09:00 .*credential\.$/);
	});

	it.each<[string, ActionOptions]>([
		['the credential names the zone', { rules: { smsScheduleTimezone: timezone } }],
		['it is sent now', { parameters: {} }],
		['Extra Fields has it', { parameters: {}, options: { extraFields: '{ "schedule": "x" }' } }],
	])('needs no word if %s', async (_, action) => expect(await scheduled(action)).toEqual([]));

	it('needs no word of a message from before a retry whose account names the zone', async () => {
		gateway.sandbox.fault({ to: items[2]!.to, times: 1, fault: { status: 400 } });
		const rules = { maxConcurrency: 1, smsScheduleTimezone: timezone };
		const failed = await gateway.run('sendSms', { items: items.slice(1, 3), parameters, rules });
		const action = { parameters: { scheduleAt: '2020-01-01T09:00:00' }, currentWorkflow: true };
		const onError = 'continueRegularOutput';
		const run = await gateway.retry(failed, 'sendSms', { ...action, rules, onError });
		const message = expect.stringMatching(/^1 of 2 was sent .* of each\.$/) as string;
		expect(hintsOf(run)).toMatchObject([{ message }]);
	});

	it('needs none in the chat app, whose times have an offset', async () => {
		for (const id of ['sendMedia', 'sendAudio'] as const) {
			const ended = await gateway.run(id, { items: [item], timezone, parameters });
			expect(hintsOf(ended)).toEqual([]);
		}
	});
});

// It may have been left on.
it.each([
	['+5511912345678', '1 of 1 would be sent (1 SMS segment).', 'info'],
	['12', "0 of 1 would be sent, 1 would not: see 'explanation' of each.", 'warning'],
])('one message in a dry run says so: %s', async (to, said, type) => {
	expect(await run({ items: [{ to }], options: { dryRun: true } })).toMatchObject([
		{ message: `Dry run: nothing was sent. ${said}`, type },
	]);
});

it('shows nothing for what is not sent to people', async () => {
	expect(hintsOf(await gateway.run('getSmsStatus', { items }))).toEqual([]);
});
