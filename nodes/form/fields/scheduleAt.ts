import { DateTime, IANAZone, type DateTimeOptions, type DateTimeMaybeValid } from 'luxon';

import { inCredential } from '../../account/credentialField';
import { isInEngine2 } from '../../n8n/nodeKinds';
import { zoneHint } from '../../text/sendingHours';
import { toText } from '../../text/values';
import { plainField } from '../field';
import { isEmpty, type Item } from '../item';
import { emptyField, fixedHint } from '../textField';

/** Times shortly before the run mean now: clocks are off, models and earlier nodes take a while. */
const pastToleranceMs = 15 * 60 * 1000;

const scheduleAtProperty = {
	displayName: 'Schedule At',
	name: 'scheduleAt',
	type: 'dateTime',
	default: '',
	hint: "Empty: now. Times are in the workflow's time zone.",
	description:
		'When to send the message, e.g. 2030-12-31T09:30:00, or with an offset, 2030-12-31T09:30:00-03:00',
} as const;

/** Its value is the time of a scheduled send, in the workflow's time zone, or undefined to send now. */
export const scheduleAtField = plainField(
	scheduleAtProperty,
	(entered, item: Item): DateTime<true> | undefined => {
		if (isEmpty(entered)) {
			const { name } = scheduleAtProperty;
			// A model that leaves it empty may have meant any time.
			const isOfModel = /\$fromAI\b/i.test(String(item.entered.at(name)));
			const isLeftOut = entered === '' || !item.isFromExpression(name);
			if (isLeftOut && !isOfModel) return undefined;
			const hint = isOfModel
				? 'Enter an ISO date and time with its offset, e.g. 2030-12-31T09:30:00-03:00. To send the message now, enter the current time.'
				: "Drag the right field from the input panel into 'Schedule At'. If items without a time are to be sent now, write {{ $json.sendAt ?? '' }}.";
			throw emptyField(scheduleAtProperty, item, hint, hint);
		}
		const time = readTime(item, 'Schedule At', withoutMidnight(entered, item.timezone));
		// The beginning of the run counts: a list may take longer than it is to its time.
		if (time.toMillis() >= item.entered.begunAt - pastToleranceMs) return time;
		throw item.invalid(
			`'Schedule At' is in the past: '${formatIso(time)}'`,
			`Enter a time in the future, or leave the field empty to send the message now; for late ones, {{ DateTime.max($now, DateTime.fromISO($json.sendAt)) }}. The workflow's time zone is ${item.timezone}. To retry an execution, save the change and retry it with the currently saved workflow.`,
		);
	},
);

/** @throws NodeOperationError when the value is not a date and time */
export function readTime(item: Item, displayName: string, entered: unknown): DateTime<true> {
	const time = parseTime(entered, item.timezone);
	const text = toText(entered ?? '').trim();
	const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
	if (time && !isDay && isInEngine2(item.context) && !hasOffset(entered)) {
		throw item.invalid(
			`'${displayName}' has no time zone: '${item.quote(text)}'`,
			"Add its offset, e.g. 2030-12-31T09:30:00-03:00: n8n's Engine 2.0 does not say which time zone the workflow has.",
		);
	}
	if (time && !isDay) return time;
	const shown = text.includes('[object ') ? ', but an object' : `: '${item.quote(text)}'`;
	const what = time ? 'has no time of day' : 'is not a date and time';
	const isCount = text !== '' && Number.isFinite(Number(text));
	throw item.invalid(
		`'${displayName}' ${text === '' ? 'is empty' : what + shown}`,
		time ? timeOfDayHint : isCount ? timestampHint : (fixedHint(displayName, text) ?? formatHint),
	);
}

/** Returns the day, as text, of a DateTime or Date that is at its beginning, as `$today` is. */
function withoutMidnight(entered: unknown, zone: string): unknown {
	const time = typeof entered === 'object' ? parseTime(entered, zone) : undefined;
	return time && +time === +time.startOf('day') ? time.toISODate() : entered;
}

const timeOfDayHint =
	"Add the time, e.g. 2030-12-31T09:30:00, or .set({ hour: 9 }) to a date: {{ $today.plus({ days: 1 }).set({ hour: 9 }) }}. Midnight is {{ $json.date.toDateTime().toISODate() + 'T00:00' }}.";

/** Offers both orders, since only a person knows which one a date has; in one sentence, since a list shows the first. */
const formatHint =
	"Enter an ISO date and time, e.g. 2030-12-31T09:30:00; where the day comes first, {{ DateTime.fromFormat($json.date, 'd/M/yyyy H:mm') }}; where the month does, 'M/d/yyyy h:mm a'.";

/** Leaves out a spreadsheet's days: n8n reads them in UTC, hours away from what the spreadsheet shows. */
const timestampHint =
	"Milliseconds since 1970 need {{ $json.date.toDateTime('ms') }}, seconds {{ $json.date.toDateTime('s') }}. Format a spreadsheet's column as text, e.g. 2030-12-31 09:30.";

/** The longest date and time, in characters, that is parsed. */
const longestTime = 100;

const dateFormats = ['yyyy-M-d', 'MMM d yyyy', 'MMMM d yyyy', 'd MMM yyyy', 'd MMMM yyyy'];
const otherFormats = ['H:mm', 'H:mm:ss', 'h:mm a', 'h:mm:ss a'].flatMap((time) =>
	dateFormats.map((date) => `${date} ${time}`),
);

/** Reads ISO 8601, `2030/12/31, 9:30 AM`, `Dec 31, 2030 9:30 AM`, an email's date, a luxon DateTime or a Date. */
export function parseTime(value: unknown, zone: string): DateTime<true> | undefined {
	for (const time of readingsOf(value, { zone, locale: 'en' })) if (time.isValid) return time;
	return undefined;
}

/** Yields how a value may be read, one after the other: each format takes luxon a tenth of a millisecond. */
function* readingsOf(value: unknown, options: DateTimeOptions): Generator<DateTimeMaybeValid> {
	if (value instanceof Date) return yield DateTime.fromJSDate(value, options);
	const text = toText(value).normalize('NFKC').trim();
	const startsWithDate = /^(\d{4}[-/.]\d|(\d\d? )?[A-Z][a-z]{2,8},? \d)/.test(text);
	if (!startsWithDate || text.length > longestTime) return;
	yield DateTime.fromISO(text, options);
	yield DateTime.fromSQL(text, options);
	yield DateTime.fromRFC2822(text, options);
	const plain = text.replace(/(?<=\d)[/.](?=\d)/g, '-').replace(/(?:,| at|(?<=\d)T) ?(?=\d)/g, ' ');
	for (const format of otherFormats) yield DateTime.fromFormat(plain, format, options);
}

/** Whether a time is the same in all zones. */
const hasOffset = (entered: unknown): boolean =>
	parseTime(entered, 'UTC')?.toMillis() === parseTime(entered, 'UTC+1')?.toMillis();

/** Returns `YYYY-MM-DD HH:MM:SS`, the shape of the SMS request (interface §2.4). It has no offset. */
export const formatForSms = (time: DateTime<true>): string => time.toFormat('yyyy-MM-dd HH:mm:ss');

/** Returns a time in the zone of SMS schedules. @throws NodeOperationError when its clock shows the time twice */
export function inSmsZone(item: Item, time: DateTime<true>): DateTime<true> {
	const field = `'SMS Schedule Timezone' ${inCredential}`;
	const zone = item.account.smsScheduleTimezone ?? knownZone(item, field, '');
	const inZone = time.setZone(zone) as DateTime<true>;
	const both = inZone.getPossibleOffsets() as Array<DateTime<true>>;
	if (both.length === 1) return inZone;
	const [before, after] = [both[0]!.minus({ hours: 1 }), both.at(-1)!.plus({ hours: 1 })];
	throw item.invalid(
		`The clock in ${zone} shows the time of this SMS twice: '${formatIso(inZone)}'`,
		`Schedule it for ${formatIso(before)} or ${formatIso(after)}: a scheduled SMS has no offset, so it could leave an hour early or late.`,
	);
}

/** Says as which time an SMS is scheduled if its account names no zone. @param zone the workflow's */
export function describeSmsTime(scheduled: unknown, zone: string): string {
	const time = DateTime.fromISO(String(scheduled), { zone }).toFormat('HH:mm');
	return `${time} (this workflow's ${zone}), without a time zone: your service reads it in its own. Set 'SMS Schedule Timezone' in the credential.`;
}

/** Returns the zone entered (UTC-03:00 of -03:00), or the workflow's. @throws an error that names `field` */
export function knownZone(item: Item, field: string, entered: string): string {
	const zone = entered || item.timezone;
	if (!entered && isInEngine2(item.context)) {
		throw item.invalid(
			`${field} is empty`,
			"Enter a name such as America/Sao_Paulo: n8n's Engine 2.0 does not say which time zone the workflow has.",
		);
	}
	const offset = /^(?:UTC|GMT)?([+-](?:0?\d|1[0-4])):?([0-5]\d)?$/i.exec(zone);
	if (offset) return `UTC${offset[1]}:${offset[2] ?? '00'}`;
	if (IANAZone.isValidZone(zone)) return zone;
	throw item.invalid(`${field} is not a time zone: '${item.quote(zone)}'`, zoneHint);
}

/** Returns ISO 8601 with offset (interface §2.3; assumed for media, whose format §2.2 does not show). */
export const formatIso = (time: DateTime<true>): string =>
	time.toISO({ suppressMilliseconds: true });

/** Returns an instant to the second. @param ms since 1970 */
export const formatInstant = (ms: number, zone: string): string =>
	formatIso(DateTime.fromMillis(Math.floor(ms / 1000) * 1000, { zone }) as DateTime<true>);
