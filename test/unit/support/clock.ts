/** Local times, computed without the library that the node uses. */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
	const made =
		formats.get(timeZone) ??
		new Intl.DateTimeFormat('en-GB', {
			timeZone,
			hourCycle: 'h23',
			weekday: 'long',
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
		});
	formats.set(timeZone, made);
	return made;
}

export interface Clock {
	/** E.g. `monday`. */
	day: string;
	/** E.g. `09:00`. */
	time: string;
	/** E.g. `2030-12-31 09:00:00`. */
	whole: string;
}

export function clockAt(timeZone: string, ms: number): Clock {
	const parts = formatOf(timeZone).formatToParts(ms);
	const { weekday, year, month, day, hour, minute, second } = Object.fromEntries(
		parts.map(({ type, value }) => [type, value]),
	) as Record<Intl.DateTimeFormatPartTypes, string>;
	return {
		day: weekday.toLowerCase(),
		time: `${hour}:${minute}`,
		whole: `${year}-${month}-${day} ${hour}:${minute}:${second}`,
	};
}

/** How far a clock is ahead of UTC, in ms. */
export const offsetAt = (timeZone: string, ms: number): number =>
	Date.parse(`${clockAt(timeZone, ms).whole.replace(' ', 'T')}Z`) - ms;

const quarterMs = 15 * 60_000;
const weekMs = 7 * 24 * 4 * quarterMs;

/** The instants with this local time: none, one or two. */
export function instantsOf(timeZone: string, whole: string): number[] {
	const inUtc = Date.parse(`${whole.replace(' ', 'T')}Z`);
	return Array.from(
		{ length: 2 * 4 * 15 + 1 },
		(_, index) => inUtc + (index - 4 * 15) * quarterMs,
	).filter((ms) => clockAt(timeZone, ms).whole === whole);
}

/** When the clock is set forward or back in these years. */
export function changesOf(timeZone: string, firstYear: number, lastYear: number): number[] {
	const offset = (ms: number) => offsetAt(timeZone, ms);
	const changes: number[] = [];
	for (let ms = Date.UTC(firstYear, 0); ms < Date.UTC(lastYear + 1, 0); ms += weekMs) {
		if (offset(ms) === offset(ms + weekMs)) continue;
		let change = ms;
		while (offset(change) === offset(ms)) change += quarterMs;
		changes.push(change);
	}
	return changes;
}
