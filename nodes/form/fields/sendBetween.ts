import { DateTime } from 'luxon';
import type { ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';

import type { Owner } from '../../n8n/errors';
import { weekdays, formatTime, type TimeWindow } from '../../text/sendingHours';
import { objectList, toText } from '../../text/values';
import { refine, plainField, valuesOf } from '../field';
import { groupReader, isEmpty, type Item } from '../item';
import { groupOption } from '../option';
import { trimmed, leftOrGiven, choice, locator } from '../textField';
import { knownZone, readTime } from './scheduleAt';

const minutesPerDay = 24 * 60;

/** Matches `9`, `09:00:00`, `9h30`, `09.00`, `T09:00`, `9:30 PM`. */
const timeShape = /^T?(\d\d?)(?:[:.h]([0-5]\d)(?::00)?|h)?(?: ?([ap])m)?$/i;

/** Returns a field of a time of day, in minutes after midnight, up to 24:00. A DateTime's is that of its own clock. */
const timeOfDay = (property: INodeProperties) =>
	refine(trimmed(property), (entered, owner): number => {
		const isDate = /^\d{4}-/.test(entered);
		const clock = isDate && DateTime.fromISO(entered, { setZone: true }).toFormat('H:mm');
		const [, digits, minute, half] = timeShape.exec(clock || entered.normalize('NFKC')) ?? [];
		const hour = half ? (Number(digits) % 12) + (/p/i.test(half) ? 12 : 0) : Number(digits);
		const minutes = 60 * hour + Number(minute ?? 0);
		if (minutes <= minutesPerDay && !(half && Number(digits) > 12)) return minutes;
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

/** The choice beside a zone by name. */
export const recipientZone = 'recipient';

const timezoneField = locator(
	{
		displayName: 'Timezone',
		name: 'timezone',
		description: "Time zone of these hours. Recipient's: all in which the number may be.",
	},
	{ searchListMethod: 'searchTimezones', placeholder: "Workflow's" },
	{
		displayName: 'Name',
		name: 'name',
		placeholder: 'e.g. America/Sao_Paulo',
		hint: "Empty: the workflow's. An expression may also return the word recipient.",
	},
	// The workflow's would be a guess: it may be night where the recipient is.
	(property) =>
		leftOrGiven(
			trimmed(property),
			"Return one for every item, e.g. {{ $json.timezone || 'recipient' }}.",
		),
);

/** Lists the choices of a time zone for a resource locator. */
export async function searchTimezones(this: ILoadOptionsFunctions, filter = '') {
	const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ name: zone, value: zone }));
	const choices = [{ name: "Recipient's", value: recipientZone }, ...zones];
	const wanted = filter.trim().toLowerCase();
	return { results: choices.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}

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
	(entered, reader): TimeWindow[] =>
		objectList(Object(entered).values).map((entry) => {
			const { from, to, days } = windowOf(groupReader(reader, entry));
			if (from !== to && from !== minutesPerDay) return { from, to, days };
			throw reader.invalid(
				`'From' and 'To' of 'Send Between' leave no time: ${formatTime(from)} to ${formatTime(to)}`,
				"Enter two different times, with 'From' before 24:00. For the whole day, enter 00:00 and 24:00.",
			);
		}),
);

const notAfterField = leftOrGiven(
	plainField(
		{
			displayName: 'Not After',
			name: 'notAfter',
			type: 'dateTime',
			default: '',
			hint: 'E.g. {{ $json.createdAt.toDateTime().plus({ minutes: 10 }) }}; empty: no limit',
			description: 'When the message is too late, e.g. for a code. It is then skipped.',
		},
		(entered, item: Item): DateTime<true> | undefined =>
			isEmpty(entered) ? undefined : readTime(item, 'Not After', entered),
	),
	"Return one for every item, e.g. {{ $json.validUntil ?? '2100-01-01T00:00' }}.",
);

const toSchedule = {
	name: 'Schedule',
	value: 'schedule',
	description: 'The service sends the message when the hours begin',
} as const;

/** When a message may be sent, and what to do with it outside these hours. */
export interface SendBetween {
	/** The hours; an empty list allows any. */
	windows: readonly TimeWindow[];
	/** The zone of the windows, or {@link recipientZone}. */
	zone: string;
	outside: 'refuse' | 'schedule' | 'skip';
	/** A later message is skipped. */
	notAfter: DateTime<true> | undefined;
}

/** @param normal the choice for messages outside, unless another one is made */
function sendBetweenGroup(normal: 'schedule' | 'skip') {
	const outsideField = choice({
		displayName: 'Outside',
		name: 'outside',
		type: 'options',
		options: [
			{ name: 'Refuse', value: 'refuse', description: 'Sends nothing; the item fails' },
			...(normal === 'schedule' ? [toSchedule] : []),
			{ name: 'Skip', value: 'skip', description: 'Sends nothing; marks the item as skipped' },
		],
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
					timezone: { __rl: true, mode: 'list', value: '' },
					outside: normal,
					notAfter: notAfterField.default,
				},
			},
			description:
				'Hours and days in which messages may be sent, e.g. not at night where the recipient lives',
		},
		{
			windows: windowsField,
			timezone: timezoneField,
			outside: outsideField,
			notAfter: notAfterField,
		},
		(values, item): SendBetween => {
			const { windows, notAfter } = values;
			const isExpression = item.isFromExpression('options', 'sendBetween', 'values', 'windows');
			if (windows.length === 0 && (isExpression || !notAfter)) {
				throw item.invalid(
					"'Send Between' has no time window",
					"Add a time window, or only a time to 'Not After'. To send at any time, remove the option.",
				);
			}
			const { timezone, outside } = values;
			const isByName = timezone !== recipientZone && windows.length > 0;
			const zone = isByName ? knownZone(item, "'Timezone' of 'Send Between'", timezone) : timezone;
			return { windows, zone, outside, notAfter };
		},
		undefined,
	);
}

/** Its value is undefined where the message may be sent at any time. */
export const sendBetweenOption = sendBetweenGroup('schedule');

/** A question's option: it is sent at once or not at all, as its page lasts while the execution waits. */
export const askBetweenOption = sendBetweenGroup('skip');
