import { WAIT_INDEFINITELY } from 'n8n-workflow';
import type { Item } from '../../form/item';
import { anything, choice, groupOption, number, type Values } from '../../form/field';
import { readTime } from '../../form/fields/scheduleAt';

const unitsMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

const limitType = choice({
	displayName: 'Limit Type',
	name: 'limitType',
	type: 'options',
	options: [
		{
			name: 'After Time Interval',
			value: 'afterTimeInterval',
			description: 'Counts from when the message is sent',
		},
		{ name: 'At Specified Time', value: 'atSpecifiedTime', description: 'A date and a time' },
	],
	default: 'afterTimeInterval',
	description: 'How to set the limit',
	// Here, because the editor shows no hint of a collection.
	hint: "After the limit, the item continues without 'data.respondedAt'",
});

const resumeAmount = number({
	displayName: 'Amount',
	name: 'resumeAmount',
	type: 'number',
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1,
	description: 'How long to wait',
});

const resumeUnit = choice({
	displayName: 'Unit',
	name: 'resumeUnit',
	type: 'options',
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
	options: [
		{ name: 'Days', value: 'days' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
	],
	default: 'hours',
	description: 'Unit of the amount',
});

const maxDateAndTime = anything({
	displayName: 'Max Date and Time',
	name: 'maxDateAndTime',
	type: 'dateTime',
	displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
	default: '',
	description: "When to stop waiting. A time without an offset is in the workflow's time zone.",
});

const fields = { limitType, amount: resumeAmount, unit: resumeUnit, end: maxDateAndTime };

/** n8n's date for waiting without a limit. */
const forEver = WAIT_INDEFINITELY.getTime();

/** Until when an answer counts, given when the message is sent: both in ms since 1970. */
type EndOf = (sentAt: number) => number;

const noEnd: EndOf = () => forEver;

/** As in n8n's own nodes. */
export const limitWaitTimeOption = groupOption(
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		default: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		},
		description: 'When to stop waiting. Without a limit, the workflow waits until an answer comes.',
	},
	fields,
	(values, item, entered): EndOf => {
		if (Object.keys(entered).length === 0) {
			if (!item.isFromExpression('options', 'limitWaitTime')) return noEnd;
			throw item.invalid(
				"'Limit Wait Time' has no limit",
				'Set its fields one by one. To wait without a limit, remove it from the options.',
			);
		}
		const endOf = readEnd(values, item);
		const now = Date.now();
		if (endOf(now) > now && endOf(now) < forEver) return endOf;
		throw item.invalid(
			`'Limit Wait Time' ends ${endOf(now) > now ? 'after the year 2999' : 'before anybody could answer'}`,
			'Enter a time in the future, or an amount above 0. To wait without a limit, remove it from the options.',
		);
	},
	noEnd,
);

function readEnd(values: Values<typeof fields>, item: Item): EndOf {
	if (values.limitType === 'atSpecifiedTime') {
		const end = readTime(item, maxDateAndTime.displayName, values.end).toMillis();
		return () => end;
	}
	const { amount, unit } = values;
	return (sentAt) => Math.round(sentAt + amount * unitsMs[unit]);
}
