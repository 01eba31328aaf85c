/**
 * With any hours, time zones and instants, including both changes of summer time, no message is sent or
 * scheduled outside of 'Send Between'. This test computes local times with Intl.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { credential } from '../../tools/shared/context';
import { makeItemOf } from '../../tools/shared/item';
import { isChatApp, operationOf, rowOf, sends } from '../../tools/shared/operations';
import { scheduleOf } from '../engine/action/support';
import { changesOf, clockAt, instantsOf } from './support/clock';
import { Finding, fuzz } from './support/fuzz';

/** Zones with changes at night, at midnight, by half an hour or two, in either half of the year, or none. */
const zones = [
	...[
		'America/New_York',
		'America/Sao_Paulo',
		'America/Santiago',
		'America/Havana',
		'America/Nuuk',
	],
	...['America/St_Johns', 'Europe/Berlin', 'Europe/Lisbon', 'Africa/Cairo', 'Africa/Casablanca'],
	...['Asia/Beirut', 'Asia/Gaza', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Chatham'],
	...['Pacific/Auckland', 'Antarctica/Troll', 'UTC'],
];
const [firstYear, lastYear] = [2025, 2029];
const changes = new Map(zones.map((zone) => [zone, changesOf(zone, firstYear, lastYear)]));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const timeOfDay = fc
	.oneof(
		fc.integer({ min: 0, max: 24 * 60 - 1 }),
		fc.integer({ min: 0, max: 16 }).map((quarters) => 15 * quarters), // where clocks change
	)
	.map((time) => new Date(time * minuteMs).toISOString().slice(11, 16));

const window = fc
	.record({
		from: timeOfDay,
		to: fc.oneof({ weight: 9, arbitrary: timeOfDay }, fc.constant('24:00')),
		days: fc.subarray(days, { minLength: 1 }),
	})
	.filter(({ from, to }) => from !== to);

const anyInstant = fc.integer({ min: Date.UTC(firstYear, 0), max: Date.UTC(lastYear, 11) });
const instantIn = (...of: string[]) => {
	const near = of.flatMap((zone) => changes.get(zone)!);
	if (near.length === 0) return anyInstant;
	return fc.oneof(
		anyInstant,
		fc
			.tuple(fc.constantFrom(...near), fc.integer({ min: -3 * dayMs, max: dayMs }))
			.map(([change, ms]) => change + ms),
	);
};

const cases = fc
	.tuple(fc.constantFrom(...zones), fc.constantFrom(...zones))
	.chain(([zone, smsZone]) =>
		fc.record({
			send: fc.constantFrom(...sends, 'sendSms' as const),
			zone: fc.constant(zone),
			smsZone: fc.constantFrom(zone, smsZone),
			windows: fc.array(window, { minLength: 1, maxLength: 3 }),
			outside: fc.constantFrom('schedule', 'schedule', 'schedule', 'skip', 'refuse'),
			now: instantIn(zone, smsZone),
			/** In ms from now. */
			scheduledIn: fc.option(fc.integer({ min: -15 * minuteMs, max: 10 * dayMs })),
		}),
	);
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** Whether the instant is within the hours. */
function isAllowed({ zone, windows }: Case, ms: number): boolean {
	const { day, time } = clockAt(zone, ms);
	const dayBefore = days[(days.indexOf(day) + 6) % 7]!;
	return windows.some(({ from, to, days: on }) => {
		if (from < to) return on.includes(day) && from <= time && time < to;
		return time >= from ? on.includes(day) : time < to && on.includes(dayBefore);
	});
}

/** Hours may begin later on the day of a clock change: the second time, or after the gap. */
const isUsual = ({ zone }: Case, ms: number): boolean =>
	changes.get(zone)!.every((change) => Math.abs(change - ms) > dayMs);

/** Reads at a certain time, since a schedule that has passed is refused. */
async function readAt<T>(now: number, read: () => Promise<T>): Promise<T> {
	const clock = Date.now;
	Date.now = () => now;
	try {
		return await read();
	} finally {
		Date.now = clock;
	}
}

const state = { sentNow: 0, moved: 0, withheld: 0 };

fuzz('sendBetween', cases, async (given) => {
	const { send, zone, smsZone, windows, outside, now, scheduledIn } = given;
	const entered = scheduledIn === null ? undefined : now + scheduledIn;
	const operation = operationOf(rowOf(send));
	const item = await readAt(
		now,
		async () =>
			await makeItemOf(
				operation,
				{
					options: {
						sendBetween: { values: { windows: { values: windows }, timezone: zone, outside } },
					},
					...(entered !== undefined && { scheduleAt: new Date(entered).toISOString() }),
				},
				{ credential: { ...credential, smsScheduleTimezone: smsZone } },
			),
	);
	const request = await readAt(now, async () => await operation.request(item));

	/** All times at which the service may send a message with this schedule that leaves now. */
	const timesOf = (schedule: string): number[] => {
		if (schedule === '') return [now];
		const times = isChatApp(send) ? [Date.parse(schedule)] : instantsOf(smsZone, schedule);
		return times.map((time) => Math.max(now, time));
	};
	const due = Math.max(now, entered ?? now);
	const finding = (text: string) =>
		new Finding('other findings', `${text}: ${JSON.stringify(given)}`);

	let decided: Awaited<ReturnType<NonNullable<typeof request.dueAt>>>;
	try {
		decided = request.dueAt!(now);
	} catch {
		state.withheld++;
		if (outside !== 'refuse') throw finding('refused');
		if (isAllowed(given, due)) throw finding('refused within');
		return;
	}
	if ('withheld' in decided) {
		state.withheld++;
		if (outside !== 'skip') throw finding('skipped');
		if (isAllowed(given, due)) throw finding('skipped within');
		return;
	}
	const schedule = scheduleOf(decided);
	const times = timesOf(String(schedule));
	if (times.length === 0) throw finding('no time');
	if (!times.some((time) => isAllowed(given, time))) throw finding('sent outside');
	const { scheduledAt } = decided.output({ messageId: '1' }) as IDataObject;
	if (schedule === '' || schedule === scheduleOf(request)) {
		state.sentNow++;
		return;
	}
	if (scheduledAt === undefined) throw finding('moved without a word');
	state.moved++;
	const moved = Date.parse(String(scheduledAt));
	if (!times.includes(moved)) throw finding('not when it says');
	if (outside !== 'schedule') throw finding('scheduled');
	for (let ms = Math.ceil(due / minuteMs) * minuteMs; ms < moved; ms += minuteMs) {
		if (moved - ms > hourMs * 6) ms += 16 * minuteMs;
		if (ms < moved && isAllowed(given, ms) && isUsual(given, ms))
			throw finding('later than need be');
	}
});

test('all of it happens', () =>
	expect(Object.values(state).every((count) => count > 0)).toBe(true));
