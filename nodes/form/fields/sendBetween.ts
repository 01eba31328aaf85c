import { DateTime, type DateTimeMaybeValid } from 'luxon';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Owner } from '../../n8n/errors';
import { isObject, objectList } from '../../text/json';
import {
	weekdays,
	formatTime,
	isWithin,
	nextWithin,
	describeHours,
	describeInstant,
	type TimeWindow,
	type SendingHours,
} from '../../text/sendingHours';
import { toText } from '../../text/text';
import { refine, plainField, valuesOf } from '../field';
import { groupReader, type Reader, type Item } from '../item';
import { groupOption } from '../option';
import { trimmed, emptyField, choice } from '../textField';
import { knownZone } from './scheduleAt';

const minutesPerDay = 24 * 60;

const timeFormats = "H:mm,H:mm':00',H,H.mm,H'h',H'h'mm,'T'H:mm,h:mm a,h a,h:mma,ha".split(',');

/** Tries one format after the other: each takes luxon a tenth of a millisecond, for every item. */
function readTimeOfDay(text: string): DateTimeMaybeValid {
	for (const format of timeFormats) {
		const time = DateTime.fromFormat(text, format, { locale: 'en' });
		if (time.isValid) return time;
	}
	return DateTime.fromISO(/^\d{4}-/.test(text) ? text : '', { setZone: true });
}

/** Returns a field of a time of day, in minutes after midnight, up to 24:00. */
const timeOfDay = (property: INodeProperties) =>
	refine(trimmed(property), (entered, owner): number => {
		const text = entered.normalize('NFKC');
		if (/^24[:.h]00$/.test(text)) return minutesPerDay;
		const time = readTimeOfDay(text);
		if (time.isValid) return 60 * time.hour + time.minute;
		throw owner.invalid(
			`'${property.displayName}' of 'Send Between' is not a time of day: '${owner.quote(entered)}'`,
			'Enter hours and minutes, e.g. 09:00.',
		);
	});

/** Returns 1 for Monday to 7 for Sunday. Numbers count like this; 0 is Sunday, too. */
function weekdayOf(entered: string, owner: Owner): number {
	const name = entered.toLowerCase();
	const index = /^[0-7]$/.test(name)
		? (Number(name) + 6) % 7
		: weekdays.findIndex((day) => name.length > 2 && day.toLowerCase().startsWith(name));
	if (index !== -1) return index + 1;
	throw owner.invalid(
		`'Days' of 'Send Between' is not a day of the week: '${owner.quote(entered)}'`,
		"Choose at least one day, or use an expression that returns days, e.g. {{ ['monday', 'friday'] }}.",
	);
}

const timezoneText = trimmed({
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. America/Sao_Paulo',
	description:
		"Time zone of these hours. Leave empty to use the workflow's. Use an expression for each recipient's own.",
});

const timezoneField = refine(timezoneText, (zone, reader) => {
	if (zone !== '' || !reader.isFromExpression(timezoneText.name)) return zone;
	// The workflow's would be a guess: it may be night where the recipient is.
	const hint = "Return one for every item, e.g. {{ $json.timezone || 'America/Sao_Paulo' }}.";
	throw emptyField(timezoneText, reader, hint, hint);
});

const windowFields = {
	from: timeOfDay({
		displayName: 'From',
		name: 'from',
		type: 'string',
		default: '09:00',
		placeholder: 'e.g. 09:00',
		description: 'Time of day to start sending',
	}),
	to: timeOfDay({
		displayName: 'To',
		name: 'to',
		type: 'string',
		default: '18:00',
		placeholder: 'e.g. 18:00',
		description: "Time of day to stop sending. Earlier than 'From' means the next day.",
	}),
	/** Its value has 1 for Monday to 7 for Sunday. Expressions may return a list, or text with commas. */
	days: plainField(
		{
			displayName: 'Days',
			name: 'days',
			type: 'multiOptions',
			options: weekdays.map((name) => ({ name, value: name.toLowerCase() })),
			default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
			description: 'Days on which the hours begin. Hours past midnight end on the next day.',
		},
		(entered, owner): ReadonlySet<number> =>
			new Set(
				toText(entered ?? '')
					.trim()
					.split(/[\s,;]+/)
					.map((name) => weekdayOf(name, owner)),
			),
	),
};
const windowOf = valuesOf(windowFields);

const windowsField = plainField(
	{
		displayName: 'Time Windows',
		name: 'windows',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Time Window' },
		placeholder: 'Add Time Window',
		default: {},
		description: 'Hours of certain days. Add one for each that differs, e.g. Saturday from 10:00.',
		options: [{ displayName: 'Time Window', name: 'values', values: Object.values(windowFields) }],
	},
	(entered, reader): TimeWindow[] => {
		const entries = isObject(entered) ? objectList(entered.values) : [];
		if (entries.length > 0)
			return entries.map((entry) => checkWindow(reader, windowOf(groupReader(reader, entry))));
		throw reader.invalid(
			"'Send Between' has no time window",
			'Add a time window. To send at any time, remove the option.',
		);
	},
);

/** @throws NodeOperationError when it is empty */
function checkWindow(reader: Reader, window: TimeWindow): TimeWindow {
	const { from, to } = window;
	if (from !== to && from !== minutesPerDay) return { from, to, days: window.days };
	throw reader.invalid(
		`'From' and 'To' of 'Send Between' leave no time: ${formatTime(from)} to ${formatTime(to)}`,
		"Enter two different times, with 'From' before 24:00. For the whole day, enter 00:00 and 24:00.",
	);
}

type OutsideChoice = 'refuse' | 'schedule' | 'skip';

const outsideChoices: Array<INodePropertyOptions & { value: OutsideChoice }> = [
	{ name: 'Refuse', value: 'refuse', description: 'Sends nothing; the item fails' },
	{
		name: 'Schedule',
		value: 'schedule',
		description: 'The service sends the message when the hours begin',
	},
	{ name: 'Skip', value: 'skip', description: 'Sends nothing; marks the item as skipped' },
];

/** The hours in which a message may be sent, and what to do with it outside these hours. */
export interface SendBetween {
	hours: SendingHours;
	outside: OutsideChoice;
}

/** @param normal the choice for messages outside, unless another one is made */
function sendBetweenGroup(normal: 'schedule' | 'skip') {
	const outsideField = choice({
		displayName: 'Outside',
		name: 'outside',
		type: 'options',
		options: outsideChoices.filter(({ value }) => value === normal || value !== 'schedule'),
		default: normal,
		description: 'What to do with a message outside these hours',
	});
	const officeHours = Object.fromEntries(
		Object.values(windowFields).map((field) => [field.name, field.default]),
	);
	return groupOption(
		{
			displayName: 'Send Between',
			name: 'sendBetween',
			default: {
				values: {
					windows: { values: [officeHours] },
					timezone: timezoneField.default,
					outside: normal,
				},
			},
			description:
				'Hours and days in which messages may be sent, e.g. not at night where the recipient lives',
		},
		{ windows: windowsField, timezone: timezoneField, outside: outsideField },
		(values, item): SendBetween => {
			const { windows, timezone } = values;
			const zone = knownZone(item, "'Timezone' of 'Send Between'", timezone);
			return { hours: { windows, zone }, outside: values.outside };
		},
		undefined,
	);
}

/** Its value is undefined where the message may be sent at any time. */
export const sendBetweenOption = sendBetweenGroup('schedule');

/** A question's option: it is sent at once or not at all, as its page lasts while the execution waits. */
export const askBetweenOption = sendBetweenGroup('skip');

/**
 * Decides when a message whose turn is `now` (ms since 1970) is sent (undefined: now), or why it is not.
 *
 * @param scheduleAt later than that; undefined: the message is sent now
 * @throws NodeOperationError when the message is refused
 */
export function sendTime(
	item: Item,
	sendBetween: SendBetween | undefined,
	scheduleAt: DateTime<true> | undefined,
	now: number,
): { kind: 'due'; time: DateTime<true> | undefined } | { kind: 'withheld'; why: string } {
	const due = scheduleAt?.toMillis() ?? now;
	if (!sendBetween || isWithin(sendBetween.hours, due)) return { kind: 'due', time: scheduleAt };
	const { hours, outside } = sendBetween;
	const next = outside === 'schedule' ? nextWithin(hours, due) : undefined;
	if (next) return { kind: 'due', time: next };
	const allowed = describeHours(hours);
	const when = describeInstant(hours, due);
	if (outside === 'skip') {
		return { kind: 'withheld', why: `It would have been sent on ${when}, outside ${allowed}` };
	}
	throw item.invalid(
		`'Send Between' does not allow sending on ${when}`,
		`Run the workflow again within the hours, or change 'Outside'. Nothing was sent: messages may be sent from ${allowed}.`,
	);
}
