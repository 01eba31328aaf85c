import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import type { Owner } from '../../gateway/owner';
import { formatTime, weekdays, type SendingHours } from '../../text/sendingHours';
import { toText } from '../../text/toText';
import { anything, choice, readIn, refine, trimmed, type Field } from '../field';
import type { Item } from '../item';
import { knownZone } from './scheduleAt';

const minutesPerDay = 24 * 60;

/** In minutes after midnight, up to 24:00. */
const timeOfDay = (property: INodeProperties) =>
	refine(trimmed(property), (entered, owner): number => {
		const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)(?::00)?$/.exec(entered) ?? [];
		const time = 60 * Number(hours) + Number(minutes);
		if (time <= minutesPerDay) return time;
		const what = entered === '' ? 'is empty' : `is not a time of day: '${owner.quote(entered)}'`;
		throw owner.invalid(
			`'${property.displayName}' of 'Send Between' ${what}`,
			'Enter hours and minutes, e.g. 09:00.',
		);
	});

const fromField = timeOfDay({
	displayName: 'From',
	name: 'from',
	type: 'string',
	default: '09:00',
	placeholder: 'e.g. 09:00',
	description: 'Time of day to start sending',
});

const toField = timeOfDay({
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '18:00',
	placeholder: 'e.g. 18:00',
	description: "Time of day to stop sending. Earlier than 'From' means the next day.",
});

/** 1 for Monday to 7 for Sunday. Expressions may return a list, or text with commas. */
const daysField = refine(
	anything({
		displayName: 'Days',
		name: 'days',
		type: 'multiOptions',
		options: weekdays.map((name) => ({ name, value: name.toLowerCase() })),
		default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
		description: 'Days on which the hours begin. Hours past midnight end on the next day.',
	}),
	(entered, owner): ReadonlySet<number> =>
		new Set(
			toText(entered ?? '')
				.split(',')
				.map((name) => weekdayOf(name.trim(), owner)),
		),
);

function weekdayOf(entered: string, owner: Owner): number {
	const index = weekdays.findIndex((name) => name.toLowerCase() === entered.toLowerCase());
	if (index !== -1) return index + 1;
	throw entered === ''
		? owner.invalid("'Days' of 'Send Between' is empty", 'Choose at least one day.')
		: owner.invalid(
				`'Days' of 'Send Between' is not a day of the week: '${owner.quote(entered)}'`,
				"Use an expression that returns days, e.g. {{ ['monday', 'friday'] }}.",
			);
}

const timezoneField = trimmed({
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. America/Sao_Paulo',
	description:
		"Time zone of these hours. Leave empty to use the workflow's. Use an expression for each recipient's own.",
});

const outsideField = choice({
	displayName: 'Outside',
	name: 'outside',
	type: 'options',
	options: [
		{ name: 'Refuse', value: 'refuse', description: 'Sends nothing; the item fails' },
		{
			name: 'Schedule',
			value: 'schedule',
			description: 'The service sends the message when the hours begin',
		},
		{ name: 'Skip', value: 'skip', description: 'Sends nothing; marks the item as skipped' },
	],
	default: 'schedule',
	description: 'What to do with a message outside these hours',
});

const fields = [fromField, toField, daysField, timezoneField, outsideField];

const property: INodeProperties = {
	displayName: 'Send Between',
	name: 'sendBetween',
	type: 'fixedCollection',
	default: { values: Object.fromEntries(fields.map((field) => [field.name, field.default])) },
	description:
		'Hours and days in which messages may be sent, e.g. not at night where the recipient lives',
	options: [{ displayName: 'Values', name: 'values', values: fields }],
};

/** The hours in which a message may be sent, and what to do with it outside these hours. */
export interface SendBetween {
	hours: SendingHours;
	outside: 'refuse' | 'schedule' | 'skip';
}

/** Undefined: the message may be sent at any time. */
export const sendBetweenOption: Field<SendBetween | undefined> = {
	...property,
	read: readSendBetween,
};

function readSendBetween(item: Item): SendBetween | undefined {
	if (!item.isSet('options', property.name)) return undefined;
	const entered = item.entry('options', property.name);
	const values = isObject(entered) && isObject(entered.values) ? entered.values : {};
	if (Object.keys(values).length === 0) {
		throw item.invalid(
			"'Send Between' has no hours",
			'Set its fields one by one. To send at any time, remove it from the options.',
		);
	}
	const from = readIn(values, fromField, item);
	const to = readIn(values, toField, item);
	if (from === to || from === minutesPerDay) {
		throw item.invalid(
			`'From' and 'To' of 'Send Between' leave no time: ${formatTime(from)} to ${formatTime(to)}`,
			"Enter two different times, with 'From' before 24:00. For the whole day, enter 00:00 and 24:00.",
		);
	}
	const days = readIn(values, daysField, item);
	const hours = { from, to, days, zone: readZone(item, values) };
	return { hours, outside: readIn(values, outsideField, item) };
}

function readZone(item: Item, values: IDataObject): string {
	const entered = readIn(values, timezoneField, item);
	// The workflow's zone would be a guess: it may be night where the recipient is.
	if (
		entered === '' &&
		item.isFromExpression('options', property.name, 'values', timezoneField.name)
	) {
		throw item.invalid(
			"'Timezone' of 'Send Between' is empty",
			"Use an expression that returns a time zone for every item, e.g. {{ $json.timezone || 'America/Sao_Paulo' }}.",
		);
	}
	return knownZone(item, "'Timezone' of 'Send Between'", entered || item.timezone);
}
