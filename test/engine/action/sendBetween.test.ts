/** 'Send Between' as messages leave: at which time, as what, and what becomes of their keys. */
import type { IDataObject } from 'n8n-workflow';
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { jsonOf, numbers, scheduleOf, sends, to, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const requests = () => gateway.sandbox.requests();

/** In ms, how far the clock of the node is from that of the machine. */
let ahead = 0;
const machine = Date.now;
const itIs = (time: string) => (ahead = Date.parse(time) - machine());
beforeAll(() => (Date.now = () => machine() + ahead));
afterAll(() => (Date.now = machine));
beforeEach(() => deduplication.reset());

// New York is at UTC-5; 2030-11-25 is a Monday.
const within = '2030-11-25T17:59:00-05:00';
const after = '2030-11-25T18:00:00-05:00';
const nextDay = '2030-11-26T09:00:00-05:00';
const timezone = 'America/New_York';
const windows = { values: [{ from: '09:00', to: '18:00' }] };

const between = (values: IDataObject = {}, options: IDataObject = {}): ActionOptions => ({
	options: { ...options, sendBetween: { values: { windows, timezone, ...values } } } as never,
});
const scheduled = (scheduleAt: string): ActionOptions => ({
	...between(),
	parameters: { scheduleAt },
});

/** The times in the bodies of all requests; empty where there is none. */
const schedules = () => requests().map(scheduleOf);

describe.each(sends)('%s', (id) => {
	const onNextDay = id === 'sendSms' ? '2030-11-26 09:00:00' : nextDay;

	it('goes at once within the hours, and is scheduled for the next ones outside', async () => {
		itIs(within);
		const [sent] = jsonOf(await gateway.run(id, between()));
		itIs(after);
		const [scheduled] = jsonOf(await gateway.run(id, between()));
		expect(schedules()).toEqual(['', onNextDay]);
		expect(sent).not.toHaveProperty('scheduledAt');
		expect(scheduled).toMatchObject({ to, scheduledAt: nextDay });
	});

	it("moves 'Schedule At' where it lies outside, and leaves it where it does not", async () => {
		itIs(within);
		await gateway.run(id, scheduled(after));
		const [moved] = schedules();
		expect(moved).toBe(onNextDay);
		const scheduleAt = '2030-11-27T10:00:00-05:00';
		const [kept] = jsonOf(await gateway.run(id, scheduled(scheduleAt)));
		expect(schedules()[1]).toBe(id === 'sendSms' ? '2030-11-27 10:00:00' : scheduleAt);
		expect(kept).toMatchObject({ scheduledAt: scheduleAt });
	});

	it("has no time any more if 'Schedule At' has passed as it leaves", async () => {
		const parameters = { scheduleAt: '2030-11-25T17:50:00-05:00' };
		itIs(within);
		const [sent] = jsonOf(await gateway.run(id, { parameters }));
		expect(sent).not.toHaveProperty('scheduledAt');
		itIs(after);
		await gateway.run(id, { parameters, ...between() });
		expect(schedules()).toEqual(['', onNextDay]);
	});

	it('is skipped, or refused, without a request', async () => {
		itIs(after);
		expect(jsonOf(await gateway.run(id, between({ outside: 'skip' })))).toEqual([
			{
				skipped: true,
				to,
				reason: 'outsideHours',
				explanation:
					'It would have been sent on Monday, 18:00 in America/New_York, outside 09:00 to 18:00, Monday, Tuesday, Wednesday, Thursday, Friday',
			},
		]);
		const { error } = await gateway.run(id, between({ outside: 'refuse' }));
		expect(error?.message).toBe(
			"'Send Between' does not allow sending on Monday, 18:00 in America/New_York",
		);
		const hint = "Run the workflow again within the hours, or change 'Outside'. Nothing was sent";
		expect(error?.description).toContain(hint);
		expect(requests()).toEqual([]);
	});
});

it("counts each recipient's own hours, and those of the workflow where none are named", async () => {
	itIs('2030-11-25T12:00:00Z');
	const zones = ['Europe/Lisbon', 'America/Los_Angeles', 'Asia/Tokyo', 'America/New_York'];
	const items = numbers(4).map((item, index) => ({ ...item, zone: zones[index] }));
	const run = await gateway.run('sendSms', {
		items,
		...between({ timezone: '={{ $json.zone }}' }),
	});
	expect(jsonOf(run).map(({ scheduledAt }) => scheduledAt)).toEqual([
		undefined,
		'2030-11-25T09:00:00-08:00',
		'2030-11-26T09:00:00+09:00',
		'2030-11-25T09:00:00-05:00',
	]);
	const zone = { timezone: 'Asia/Tokyo' };
	const [own] = jsonOf(await gateway.run('sendSms', { ...zone, ...between({ timezone: '' }) }));
	expect(own).toMatchObject({ scheduledAt: '2030-11-26T09:00:00+09:00' });
	expect(schedules().at(-1)).toBe('2030-11-26 09:00:00');
});

const brasilia = '+5511912345678';
const acre = '+5568912345678';
const russia = '+79161234567';
/** A satellite phone: nobody knows where it is. */
const nowhere = '+881612345678';
const kept = { keepNumberAsEntered: true };
const onError = 'continueRegularOutput';

describe("the recipient's time zone", () => {
	const recipients = [brasilia, acre, '+12125551234', '+442079460123'].map((to) => ({ to }));
	const own = (values: IDataObject = {}, options?: IDataObject) =>
		between({ timezone: 'recipient', ...values }, options);

	it.each(sends)('%s leaves where it is time, and later where it is not', async (id) => {
		itIs('2030-11-25T12:30:00Z'); // 09:30 in São Paulo, 07:30 in Acre and New York, 12:30 in London
		const items = recipients.filter(({ to }) => id !== 'sendSms' || !to.startsWith('+44'));
		const outputs = jsonOf(await gateway.run(id, { items, ...own() }));
		expect(outputs.map(({ to, scheduledAt }) => [to, scheduledAt])).toEqual(
			[
				[brasilia, undefined],
				[acre, '2030-11-25T09:00:00-05:00'],
				['+12125551234', '2030-11-25T09:00:00-05:00'],
				['+442079460123', undefined],
			].slice(0, items.length),
		);
	});

	const unknown = 'The time zone of this number is not known';
	const noHour = expect.stringMatching(
		/^It would be sent on \w+, \d\d:00 in Asia\/Anadyr, and no hour of 'Send Between' fits all time zones of this number$/,
	) as string;

	it('that is not known, or has no hour of all of its zones, is skipped alone', async () => {
		itIs('2030-11-25T08:00:00Z');
		const items = [russia, nowhere, acre].map((to) => ({ to }));
		const run = await gateway.run('sendSms', { items, ...own({ outside: 'skip' }, kept) });
		expect(jsonOf(run)).toEqual([
			{ skipped: true, reason: 'noHour', to: russia, explanation: noHour },
			{ skipped: true, reason: 'noHour', to: nowhere, explanation: unknown },
			{ skipped: true, reason: 'outsideHours', to: acre, explanation: expect.any(String) },
		]);
	});

	it.each(['schedule', 'refuse'])('that is not known lets it not leave: %s', async (outside) => {
		itIs('2030-11-25T14:00:00Z');
		const items = [russia, nowhere, brasilia.slice(1)].map((to) => ({ to }));
		const run = await gateway.run('sendSms', { items, onError, ...own({ outside }, kept) });
		const hint = expect.stringMatching(/^Enter a time zone by name in 'Timezone'/) as string;
		expect(jsonOf(run)).toMatchObject([
			{ error: { message: noHour, hint, outcome: 'refused' } },
			{ error: { message: unknown, hint, outcome: 'refused' } },
			{ to: brasilia },
		]);
	});

	it('is shown by a dry run', async () => {
		itIs('2030-11-25T08:00:00Z');
		const items = [brasilia, '+61412345678', russia, nowhere].map((to) => ({ to }));
		const shown = async (outside: string) =>
			jsonOf(
				await gateway.run('sendSms', {
					items,
					onError,
					...own({ outside }, { ...kept, dryRun: true }),
				}),
			);
		const perth = expect.stringContaining('Australia/Perth, Australia/Sydney') as string;
		const refused = { wouldSend: false, reason: 'refused' };
		expect(await shown('schedule')).toMatchObject([
			{ wouldSend: true, timezone: 'America/Sao_Paulo', sendAt: '2030-11-25T09:00:00-03:00' },
			{ wouldSend: true, timezone: perth },
			{ ...refused, explanation: noHour },
			{ ...refused, explanation: unknown },
		]);
		const kaliningrad = expect.stringContaining('Europe/Kaliningrad') as string;
		expect(await shown('skip')).toMatchObject([
			{ reason: 'outsideHours', timezone: 'America/Sao_Paulo' },
			{ reason: 'outsideHours', timezone: perth },
			{ reason: 'noHour', timezone: kaliningrad },
			{ reason: 'noHour' },
		]);
	});
});

describe("'Not After'", () => {
	const limit = '2030-11-25T12:00:00Z';
	const notLater = (values: IDataObject = {}, options: IDataObject = {}): ActionOptions => ({
		options: {
			...options,
			sendBetween: { values: { windows: {}, notAfter: limit, ...values } },
		} as never,
	});
	const late = (time: string) => ({
		...{ skipped: true, reason: 'late', to },
		explanation: `It would have been sent at ${time}, later than 'Not After' allows: 2030-11-25T09:00:00-03:00`,
	});

	it.each(sends)('%s leaves until then, and is skipped later with its key free', async (id) => {
		const zone = { timezone: 'America/Sao_Paulo' };
		const action = { ...notLater({}, onceBy('={{ $json.to }}')), ...zone };
		itIs('2030-11-25T12:00:01Z');
		expect(jsonOf(await gateway.run(id, action))).toEqual([late('2030-11-25T09:00:01-03:00')]);
		const parameters = { scheduleAt: '2030-11-25T12:30:00Z' };
		itIs('2030-11-25T11:00:00Z');
		expect(jsonOf(await gateway.run(id, { ...action, parameters }))).toEqual([
			late('2030-11-25T09:30:00-03:00'),
		]);
		expect(requests()).toEqual([]);
		expect(jsonOf(await gateway.run(id, action))).toMatchObject([
			{ to, channel: expect.any(String) },
		]);
		expect(requests()).toHaveLength(1);
	});

	it('is checked again before each attempt', async () => {
		itIs('2030-11-25T11:59:59.900Z');
		gateway.sandbox.fault({ times: 1, fault: { tooMany: true, retryAfter: 1 } });
		const action = notLater({}, onceBy('={{ $json.to }}'));
		const run = await gateway.run('sendSms', { ...action, rules: { maxRetries: 3 } });
		expect(jsonOf(run)).toMatchObject([{ reason: 'late', to }]);
		expect(requests()).toHaveLength(1);
		itIs('2030-11-25T11:00:00Z');
		expect(jsonOf(await gateway.run('sendSms', action))).toMatchObject([{ channel: 'sms' }]);
	});

	it('is shown by a dry run, which names no zone where there are no hours', async () => {
		itIs('2030-11-25T13:00:00Z');
		const [shown] = jsonOf(await gateway.run('sendSms', notLater({}, { dryRun: true })));
		expect(shown).toMatchObject({ wouldSend: false, reason: 'late', skipped: true });
		expect(shown).not.toHaveProperty('timezone');
	});
});
