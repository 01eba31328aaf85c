/** Hours that people name, the days on which clocks change, and any of them against Intl. */
import fc from 'fast-check';

import {
	describeHours,
	describeInstant,
	isWithin,
	nextWithin,
	weekdays,
	type SendingHours,
	type TimeWindow,
} from '../../../nodes/text/sendingHours';
import { changesOf, clockAt } from '../support/clock';
import { runs } from '../support/runs';

const minutes = (time: string) => {
	const [hour, minute] = time.split(':').map(Number) as [number, number];
	return 60 * hour + minute;
};

/** `09:00-18:00 Mon,Tue & 22:00-06:00 America/New_York,Asia/Tokyo`; without days every day. */
function hoursOf(text: string): SendingHours {
	const [, windows = '', zones = ''] = /^(.*) (\S+)$/.exec(text)!;
	return { windows: windows.split(' & ').map(windowOf), zones: zones.split(',') };
}

function windowOf(text: string): TimeWindow {
	const [times = '', names] = text.split(' ');
	const [from, to] = times.split('-').map(minutes) as [number, number];
	const chosen = weekdays.flatMap((name, index) =>
		!names || names.split(',').includes(name.slice(0, 3)) ? [index + 1] : [],
	);
	return { from, to, days: new Set(chosen) };
}

const week = '09:00-21:00 Mon,Tue,Wed,Thu,Fri & 10:00-16:00 Sat';

// 2026-11-23 is a Monday.
test.each([
	['09:00-18:00 UTC', '2026-11-23T12:34:56Z', '2026-11-23T12:35:00Z'],
	['09:00-18:00 UTC', '2026-11-23T18:00Z', '2026-11-24T09:00Z'],
	['09:00-18:00 Mon UTC', '2026-11-23T18:00Z', '2026-11-30T09:00Z'],
	['22:00-06:00 Fri UTC', '2026-11-28T06:00Z', '2026-12-04T22:00Z'],
	[`${week} UTC`, '2026-11-27T21:00Z', '2026-11-28T10:00Z'],
	['14:00-18:00 & 09:00-12:00 UTC', '2026-11-23T12:00Z', '2026-11-23T14:00Z'],
	// New York goes from 02:00 to 03:00 on 2026-03-08, a Sunday.
	['02:30-05:00 America/New_York', '2026-03-08T06:00Z', '2026-03-08T07:00Z'],
	['02:15-02:45 America/New_York', '2026-03-08T06:00Z', '2026-03-09T06:15Z'],
	['02:15-02:45 Sun America/New_York', '2026-03-01T08:00Z', '2026-03-15T06:15Z'],
	// And from 02:00 back to 01:00 on 2026-11-01: of an hour that is there twice, the second one.
	['01:30-01:45 America/New_York', '2026-11-01T04:00Z', '2026-11-01T06:30Z'],
	['01:30-01:45 America/New_York', '2026-11-01T05:31Z', '2026-11-01T05:31Z'],
	['01:30-01:45 America/New_York', '2026-11-01T05:45Z', '2026-11-01T06:30Z'],
	['01:30-01:45 America/New_York', '2026-11-01T06:45Z', '2026-11-02T06:30Z'],
	['00:30-01:30 America/New_York', '2026-11-01T05:30Z', '2026-11-02T05:30Z'],
	// Cairo goes from midnight to 01:00 on 2026-04-24, a Friday, and Santiago on 2026-09-06, a Sunday.
	['00:00-05:00 Fri Africa/Cairo', '2026-04-23T12:00Z', '2026-04-23T22:00Z'],
	['00:30-05:00 America/Santiago', '2026-09-05T12:00Z', '2026-09-06T04:00Z'],
	['23:30-00:30 Sat America/Santiago', '2026-09-05T12:00Z', '2026-09-06T03:30Z'],
	// Lord Howe Island goes back by half an hour, at 02:00 on 2026-04-05.
	['01:40-01:50 Australia/Lord_Howe', '2026-04-04T14:50Z', '2026-04-04T15:10Z'],
	// In several zones at once: from the beginning in the west to the end in the east.
	['09:00-18:00 America/New_York,America/Los_Angeles', '2026-11-23T14:00Z', '2026-11-23T17:00Z'],
	['09:00-18:00 America/New_York,America/Los_Angeles', '2026-11-23T23:00Z', '2026-11-24T17:00Z'],
	['09:00-18:00 Mon Asia/Tokyo,Europe/Berlin', '2026-11-23T09:00Z', '2026-11-30T08:00Z'],
	['09:00-21:00 Asia/Kamchatka,Europe/Kaliningrad', '2026-11-23T09:00Z', '2026-11-24T07:00Z'],
	['22:00-06:00 America/New_York,Europe/London', '2026-11-23T12:00Z', '2026-11-24T03:00Z'],
])('%s from %s on: %s', (hours, from, expected) => {
	const next = nextWithin(hoursOf(hours), Date.parse(from));
	expect(next!.toUTC().toISO()).toBe(new Date(expected).toISOString());
});

test.each([
	'09:00-18:00 Asia/Kamchatka,Europe/Kaliningrad',
	'09:00-12:00 America/New_York,Asia/Tokyo',
	'00:00-24:00 Mon Pacific/Kiritimati,Pacific/Pago_Pago',
])('there is no instant of %s', (hours) => {
	expect(nextWithin(hoursOf(hours), Date.parse('2026-11-23T00:00Z'))).toBeUndefined();
});

test('there is none where no zone is known', () => {
	const hours = { ...hoursOf('00:00-24:00 UTC'), zones: [] };
	const at = Date.parse('2026-11-23T12:00Z');
	expect([isWithin(hours, at), nextWithin(hours, at)]).toEqual([false, undefined]);
});

test('there is none after all time', () => {
	expect(nextWithin(hoursOf('09:00-18:00 UTC'), 8.64e15)).toBeUndefined();
});

test.each([
	['22:00-06:00 Sat,Sun UTC', '22:00 to 06:00, Saturday, Sunday'],
	['22:00-06:00 Mon,Tue,Thu UTC', '22:00 to 06:00, Monday, Tuesday, Thursday'],
	['09:05-24:00 Mon & 22:00-23:00 Sat UTC', '09:05 to 24:00, Monday; 22:00 to 23:00, Saturday'],
])('%s is described as %s', (hours, text) => {
	expect(describeHours(hoursOf(hours))).toBe(text);
});

test('an instant is described as the clock shows it', () => {
	expect(describeInstant('America/Sao_Paulo', Date.parse('2026-11-22T02:59Z'))).toBe(
		'Saturday, 23:59 in America/Sao_Paulo',
	);
});

describe('any hours at any time', () => {
	/** With changes at night, at midnight, by half an hour or two, in either half of the year, or none. */
	const zones = [
		...['America/New_York', 'America/Sao_Paulo', 'America/Santiago', 'America/Havana'],
		...['America/Nuuk', 'America/St_Johns', 'Europe/Berlin', 'Europe/Lisbon', 'Africa/Cairo'],
		...['Africa/Casablanca', 'Asia/Beirut', 'Asia/Gaza', 'Asia/Kolkata', 'Australia/Lord_Howe'],
		...['Pacific/Chatham', 'Pacific/Auckland', 'Antarctica/Troll', 'UTC'],
	];
	const [firstYear, lastYear] = [2025, 2029];
	const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
	const changes = new Map(zones.map((zone) => [zone, changesOf(zone, firstYear, lastYear)]));

	const time = fc.oneof(
		fc.nat(1439),
		fc.nat(16).map((quarters) => 15 * quarters),
	); // where clocks change
	const days = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }).map((all) => new Set(all));
	const window = fc
		.record({ from: time, to: fc.oneof({ weight: 9, arbitrary: time }, fc.constant(1440)), days })
		.filter(({ from, to }) => from !== to);
	const anyInstant = fc.integer({ min: Date.UTC(firstYear, 0), max: Date.UTC(lastYear, 11) });
	const cases = fc
		.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 3 })
		.chain((some) =>
			fc.record({
				zones: fc.constant(some),
				windows: fc.array(window, { minLength: 1, maxLength: 3 }),
				at: fc.oneof(
					anyInstant,
					fc
						.tuple(
							fc.constantFrom(
								...some.flatMap((zone) => changes.get(zone)!),
								Date.UTC(firstYear, 1),
							),
							fc.integer({ min: -3 * dayMs, max: dayMs }),
						)
						.map(([change, ms]) => change + ms),
				),
			}),
		);

	const isAllowed = ({ zones: all, windows }: SendingHours, ms: number): boolean =>
		all.every((zone) => isAllowedIn(zone, windows, ms));

	function isAllowedIn(zone: string, windows: SendingHours['windows'], ms: number): boolean {
		const clock = clockAt(zone, ms);
		const minute = minutes(clock.time);
		const day = weekdays.findIndex((name) => name.toLowerCase() === clock.day) + 1;
		const dayBefore = day === 1 ? 7 : day - 1;
		return windows.some(({ from, to, days: on }) => {
			if (from < to) return on.has(day) && from <= minute && minute < to;
			return minute >= from ? on.has(day) : minute < to && on.has(dayBefore);
		});
	}

	/** Hours may begin later on the day of a clock change: the second time, or after the gap. */
	const isUsual = (all: readonly string[], ms: number): boolean =>
		all.every((zone) => changes.get(zone)!.every((change) => Math.abs(change - ms) > dayMs));

	test('are what the clock says, and the next ones no later than need be', () => {
		fc.assert(
			fc.property(cases, ({ at, ...hours }) => {
				expect(isWithin(hours, at)).toBe(isAllowed(hours, at));
				const found = nextWithin(hours, at)?.toMillis();
				const next = found ?? at + 8 * dayMs; // several zones may have no hour of a week in common
				expect(next).toBeGreaterThanOrEqual(at);
				expect(isAllowed(hours, found ?? at) || hours.zones.length > 1).toBe(true);
				expect(found === undefined || isAllowed(hours, found)).toBe(true);
				for (let ms = Math.ceil(at / minuteMs) * minuteMs; ms < next; ms += minuteMs) {
					if (next - ms > hourMs * 6) ms += 16 * minuteMs;
					const isMissed = ms < next && isAllowed(hours, ms) && isUsual(hours.zones, ms);
					expect(isMissed ? ms : undefined).toBeUndefined();
				}
			}),
			runs,
		);
	});
});
