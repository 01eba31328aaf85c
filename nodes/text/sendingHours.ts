import { DateTime, Info } from 'luxon';

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

/** Windows of a week, at least one, in a time zone. They may overlap. */
export interface SendingHours {
	windows: readonly TimeWindow[];
	/** IANA name, or an offset such as UTC-03:00. */
	zone: string;
}

/** Whether the zone's clock is within the hours: one that it shows twice counts twice. @param ms since 1970 */
export function isWithin({ windows, zone }: SendingHours, ms: number): boolean {
	const { weekday, hour, minute } = DateTime.fromMillis(ms, { zone });
	const time = 60 * hour + minute;
	return windows.some(({ from, to, days }) => {
		const hasBegunToday = time >= from && (time < to || to < from);
		const hasBegunYesterday = to < from && time < to;
		if (hasBegunToday) return days.has(weekday);
		return hasBegunYesterday && days.has(weekday === 1 ? 7 : weekday - 1);
	});
}

/** The most days to search: enough even if a clock change skips the hours on their only weekday. */
const maxDaysAhead = 15;

/** Returns the first minute within the hours, from an instant on; undefined at the end of time. */
export function nextWithin(hours: SendingHours, ms: number): DateTime<true> | undefined {
	const first = DateTime.fromMillis(Math.ceil(ms / 60_000) * 60_000, { zone: hours.zone });
	for (let day = 0; day <= maxDaysAhead; day++) {
		const begun = hours.windows.map(({ from }) => beginningOn(first.plus({ days: day }), from));
		const next = [first, ...begun].filter(
			(at): at is DateTime<true> => at >= first && isWithin(hours, at.toMillis()),
		);
		if (next.length > 0) return DateTime.min(...next);
	}
	return undefined;
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
export function describeHours({ windows }: SendingHours): string {
	const namesOf = (days: TimeWindow['days']) => weekdays.filter((_, at) => days.has(at + 1));
	return windows
		.map(({ from, to, days }) => [`${formatTime(from)} to ${formatTime(to)}`, ...namesOf(days)])
		.map((parts) => parts.join(', '))
		.join('; ');
}

/** Describes an instant, e.g. `Saturday, 20:15 in America/Sao_Paulo`. @param ms since 1970 */
export const describeInstant = ({ zone }: Pick<SendingHours, 'zone'>, ms: number): string =>
	`${DateTime.fromMillis(ms, { zone, locale: 'en' }).toFormat('cccc, HH:mm')} in ${zone}`;
