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

it.each(['skip', 'refuse'])('%s claims no key', async (outside) => {
	const action = between({ outside }, onceBy('={{ $json.to }}'));
	itIs(after);
	const calls = jest.spyOn(deduplication, 'checkProcessedAndRecord');
	await gateway.run('sendSms', action);
	expect(calls).not.toHaveBeenCalled();
	itIs(nextDay);
	await gateway.run('sendSms', action);
	expect(calls).toHaveBeenCalled();
	calls.mockRestore();
	expect(gateway.sandbox.timesAccepted({ to })).toBe(1);
});

// The schedule of an SMS has no offset: the service could take the first of the two, an hour early.
it('refuses an SMS for an hour that the clock shows twice, where the hours begin in it', async () => {
	itIs('2030-11-02T12:00:00-04:00');
	const windows = { values: [{ from: '01:30', to: '09:00', days: ['sunday'] }] };
	const { error } = await gateway.run('sendSms', { ...between({ windows }), timezone });
	expect(error?.message).toContain("shows the time of this SMS twice: '2030-11-03T01:30:00-05:00'");
	expect(requests()).toEqual([]);
});
