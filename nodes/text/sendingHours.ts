import { DateTime, Info } from 'luxon';

import { BoundedMap, entryOf } from './collections';

export interface TimeWindow {
	/** The beginning, in minutes after midnight. */
	from: number;
	/** The end, in minutes after midnight, exclusive; on the next day if less than `from`. */
	to: number;
	/** The days on which they begin, at least one: 1 for Monday to 7 for Sunday. */
	days: ReadonlySet<number>;
}

export const zoneHint =
	"Enter a name such as America/Sao_Paulo or UTC, or leave it empty to use the workflow's time zone.";

/** Windows of a week, which hold in each of the time zones. They may overlap. */
export interface SendingHours {
	windows: readonly TimeWindow[];
	/** IANA names, or offsets such as UTC-03:00. Without any, no hour is known to be allowed. */
	zones: readonly string[];
}

const minuteMs = 60_000;

/** The clocks of zones in a minute, kept since luxon takes 10 µs each time. */
const clocks = new BoundedMap<DateTime>(10_000);

/** Whether a zone's clock is within the windows: a time that it shows twice counts twice. @param ms since 1970 */
function isWithinIn(zone: string, windows: SendingHours['windows'], ms: number): boolean {
	const minute = Math.floor(ms / minuteMs) * minuteMs;
	const clock = entryOf(clocks, `${zone} ${minute}`, () => DateTime.fromMillis(minute, { zone }));
	const time = 60 * clock.hour + clock.minute;
	return windows.some(({ from, to, days }) => {
		if (time >= from) return (time < to || to < from) && days.has(clock.weekday);
		return time < to && to < from && days.has(clock.weekday === 1 ? 7 : clock.weekday - 1);
	});
}

/** Returns a zone in which an instant is outside the hours. @param ms since 1970 */
export const zoneOutside = ({ windows, zones }: SendingHours, ms: number): string | undefined =>
	zones.find((zone) => !isWithinIn(zone, windows, ms));

/** Whether an instant is within the hours, as any is without windows. @param ms since 1970 */
export const isWithin = (hours: SendingHours, ms: number): boolean =>
	hours.windows.length === 0 || (hours.zones.length > 0 && !zoneOutside(hours, ms));

/** The most days to search: enough even if a clock change skips the hours on their only weekday. */
const maxDaysAhead = 15;

/** The instants found by earlier searches, NaN for none: all zones of Russia take 50 ms. */
const searches = new BoundedMap<number>(10_000);

/**
 * Returns the first minute within the hours, from an instant on, by the clock of their first zone; undefined
 * where no minute is within them in all zones, and at the end of time.
 */
export function nextWithin(hours: SendingHours, ms: number): DateTime<true> | undefined {
	const from = Math.ceil(ms / minuteMs) * minuteMs;
	const search = [from, describeHours(hours), ...hours.zones].join();
	const next = entryOf(searches, search, () => findNext(hours, from));
	const [zone] = hours.zones;
	return zone && next ? (DateTime.fromMillis(next, { zone }) as DateTime<true>) : undefined;
}

function findNext(hours: SendingHours, from: number): number {
	let at = from;
	for (let zone = zoneOutside(hours, at); zone; zone = zoneOutside(hours, at)) {
		at = nextWithinIn(zone, hours.windows, at);
		if (!(at <= from + maxDaysAhead * 24 * 60 * minuteMs)) return NaN;
	}
	return at;
}

function nextWithinIn(zone: string, windows: SendingHours['windows'], from: number): number {
	const first = DateTime.fromMillis(from, { zone });
	for (let day = 0; day <= maxDaysAhead; day++) {
		const begun = windows.map((window) => +beginningOn(first.plus({ days: day }), window.from));
		const next = begun.filter((at) => at >= from && isWithinIn(zone, windows, at));
		if (next.length > 0) return Math.min(...next);
	}
	return NaN;
}

/** When the clock shows a time on a day: the second time if it does so twice, soon after if it skips it. */
function beginningOn(day: DateTime, minutes: number): DateTime {
	const at = day.startOf('day').set({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
	const isSkipped = 60 * at.hour + at.minute !== minutes;
	return isSkipped ? at.startOf('hour') : at.getPossibleOffsets().at(-1)!;
}

export const weekdays = Info.weekdays('long', { locale: 'en' });

/** Returns a time such as `09:00`. @param minutes after midnight */
export const formatTime = (minutes: number): string =>
	[Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Describes hours, e.g. `09:00 to 18:00, Monday, Friday; 10:00 to 16:00, Saturday`. */
export function describeHours({ windows }: Pick<SendingHours, 'windows'>): string {
	const namesOf = (days: TimeWindow['days']) => weekdays.filter((_, at) => days.has(at + 1));
	return windows
		.map(({ from, to, days }) => [`${formatTime(from)} to ${formatTime(to)}`, ...namesOf(days)])
		.map((parts) => parts.join(', '))
		.join('; ');
}

/** Describes an instant, e.g. `Saturday, 20:15 in America/Sao_Paulo`. @param ms since 1970 */
export const describeInstant = (zone: string, ms: number): string =>
	`${DateTime.fromMillis(ms, { zone, locale: 'en' }).toFormat('cccc, HH:mm')} in ${zone}`;
