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

/** A clock that is off, or another time zone, makes no more of a difference than this. */
const oldestMs = 24 * 60 * 60 * 1000;

/** The time of a scheduled send, in the workflow's time zone and not long past; undefined: at once. */
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
	const time = parseTime(entered, item.timezone);
	if (!time) {
		const text = toText(entered);
		const what = text.includes('[object ') ? ', but an object' : `: '${item.quote(text)}'`;
		throw item.invalid(
			`'Schedule At' is not a date and time${what}`,
			'Pick a time, or use an expression that returns an ISO date and time, e.g. 2030-12-31T09:30:00 or {{ $now.plus({ hours: 2 }) }}.',
		);
	}
	if (time.toMillis() < Date.now() - oldestMs) {
		throw item.invalid(
			`'Schedule At' is in the past: '${formatIso(time)}'`,
			'Enter a time in the future. To send the message now, leave the field empty.',
		);
	}
	return time;
}

/** Reads ISO 8601, `YYYY-MM-DD HH:MM:SS`, a luxon DateTime or a Date. A date has to be there. */
export function parseTime(value: unknown, zone: string): DateTime<true> | undefined {
	const text = toText(value).trim();
	const startsWithDate = /^\d{4}-\d{2}-\d{2}/.test(text);
	const ofText = () => [DateTime.fromISO(text, { zone }), DateTime.fromSQL(text, { zone })];
	const ofDate = value instanceof Date ? [DateTime.fromJSDate(value, { zone })] : undefined;
	const candidates = ofDate ?? (startsWithDate ? ofText() : []);
	return candidates.find((time): time is DateTime<true> => time.isValid);
}

/** `YYYY-MM-DD HH:MM:SS`, the shape of the SMS request (interface §2.4). It has no offset. */
export const formatForSms = (time: DateTime<true>): string => time.toFormat('yyyy-MM-dd HH:mm:ss');

/**
 * The time in the zone that the account's service reads an SMS schedule in.
 *
 * @throws NodeOperationError when the credential names an unknown one
 */
export function inSmsZone(item: Item, time: DateTime<true>): DateTime<true> {
	const zone = item.names.smsScheduleTimezone || item.timezone;
	if (IANAZone.isValidZone(zone)) return time.setZone(zone) as DateTime<true>;
	throw item.invalid(
		`'SMS Schedule Timezone' in the Messaging Gateway credential is not a time zone: '${item.quote(zone)}'`,
		"Enter a name such as America/Sao_Paulo or UTC, or leave it empty to use the workflow's time zone.",
	);
}

/** The times that it may be taken for as an SMS schedule: two in an hour that the zone has twice. */
export const readingsOfSms = (item: Item, time: DateTime<true>): DateTime[] =>
	inSmsZone(item, time).getPossibleOffsets();

/** ISO 8601 with offset (interface §2.3; assumed for media, whose format §2.2 does not show). */
export const formatIso = (time: DateTime<true>): string =>
	time.toISO({ suppressMilliseconds: true });
