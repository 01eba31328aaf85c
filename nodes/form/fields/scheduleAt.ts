import { DateTime, IANAZone } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { toText } from '../../text/toText';
import type { Field } from '../field';
import type { Item } from '../item';

const property: INodeProperties = {
	displayName: 'Schedule At',
	name: 'scheduleAt',
	type: 'dateTime',
	default: '',
	description:
		"When to send the message, e.g. 2030-12-31T09:30:00, in the workflow's time zone. Leave empty to send it now.",
};

/** Tolerates a clock that is off, and a mistaken time zone. */
const oldestMs = 24 * 60 * 60 * 1000;

/** The time of a scheduled send, in the workflow's time zone; undefined: send now. */
export const scheduleAtOption: Field<DateTime<true> | undefined> = {
	...property,
	read: readSchedule,
};

function readSchedule(item: Item): DateTime<true> | undefined {
	if (item.isMissing('options', property.name)) {
		throw item.invalid(
			"The expression in 'Schedule At' returned nothing for this item",
			"To send such messages now, use an expression that returns an empty text, e.g. {{ $json.sendAt ?? '' }}.",
		);
	}
	const entered = item.entry('options', property.name);
	if (entered === undefined || entered === null) {
		if (!item.isFromAi('options', property.name)) return undefined;
		// A model that leaves it empty may have meant any time.
		throw item.invalid(
			"'Schedule At' is empty",
			'Enter an ISO date and time with its offset, e.g. 2030-12-31T09:30:00-03:00. To send the message now, enter the current time.',
		);
	}
	if (!item.isTimezoneKnown && !hasOffset(entered)) {
		throw item.invalid(
			`'Schedule At' has no time zone: '${item.quote(toText(entered))}'`,
			"Add its offset, e.g. 2030-12-31T09:30:00-03:00: n8n's Engine 2.0 does not say which time zone the workflow has.",
		);
	}
	const time = readTime(item, property, entered);
	if (time.toMillis() >= Date.now() - oldestMs) return time;
	throw item.invalid(
		`'Schedule At' is in the past: '${formatIso(time)}'`,
		'Enter a time in the future. To send the message now, leave the field empty.',
	);
}

/** @throws NodeOperationError when the value is not a date and time */
export function readTime(
	item: Item,
	{ displayName }: Pick<INodeProperties, 'displayName'>,
	entered: unknown,
): DateTime<true> {
	const time = parseTime(entered, item.timezone);
	if (time) return time;
	const text = toText(entered ?? '');
	const what = text.includes('[object ') ? ', but an object' : `: '${item.quote(text)}'`;
	throw item.invalid(
		text.trim() === ''
			? `'${displayName}' is empty`
			: `'${displayName}' is not a date and time${what}`,
		'Pick a time, or use an expression that returns an ISO date and time, e.g. 2030-12-31T09:30:00 or {{ $now.plus({ hours: 2 }) }}.',
	);
}

/** Reads ISO 8601, `YYYY-MM-DD HH:MM:SS`, a luxon DateTime or a Date. The date is required. */
export function parseTime(value: unknown, zone: string): DateTime<true> | undefined {
	const text = toText(value).trim();
	const startsWithDate = /^\d{4}-\d{2}-\d{2}/.test(text);
	const ofText = () => [DateTime.fromISO(text, { zone }), DateTime.fromSQL(text, { zone })];
	const ofDate = value instanceof Date ? [DateTime.fromJSDate(value, { zone })] : undefined;
	const candidates = ofDate ?? (startsWithDate ? ofText() : []);
	return candidates.find((time): time is DateTime<true> => time.isValid);
}

/** Whether a time is the same in all zones. */
const hasOffset = (entered: unknown): boolean =>
	parseTime(entered, 'UTC')?.toMillis() === parseTime(entered, 'UTC+1')?.toMillis();

/** `YYYY-MM-DD HH:MM:SS`, the shape of the SMS request (interface §2.4). It has no offset. */
export const formatForSms = (time: DateTime<true>): string => time.toFormat('yyyy-MM-dd HH:mm:ss');

/**
 * The time in the zone in which the account's service reads SMS schedules.
 *
 * @throws NodeOperationError when the credential's zone is unknown
 */
export const inSmsZone = (item: Item, time: DateTime<true>): DateTime<true> =>
	time.setZone(
		knownZone(
			item,
			"'SMS Schedule Timezone' in the Messaging Gateway credential",
			item.names.smsScheduleTimezone,
		),
	) as DateTime<true>;

/** The workflow's by default; `field` is what to call it. @throws NodeOperationError when unknown */
export function knownZone(item: Item, field: string, entered: string): string {
	const zone = entered || item.timezone;
	if (!entered && !item.isTimezoneKnown) {
		throw item.invalid(
			`${field} is empty`,
			"Enter a name such as America/Sao_Paulo: n8n's Engine 2.0 does not say which time zone the workflow has.",
		);
	}
	if (IANAZone.isValidZone(zone)) return zone;
	throw item.invalid(
		`${field} is not a time zone: '${item.quote(zone)}'`,
		"Enter a name such as America/Sao_Paulo or UTC, or leave it empty to use the workflow's time zone.",
	);
}

/** ISO 8601 with offset (interface §2.3; assumed for media, whose format §2.2 does not show). */
export const formatIso = (time: DateTime<true>): string =>
	time.toISO({ suppressMilliseconds: true });

/** An instant to the second. @param ms since 1970 */
export const formatInstant = (ms: number, zone: string): string =>
	formatIso(DateTime.fromMillis(Math.floor(ms / 1000) * 1000, { zone }) as DateTime<true>);
