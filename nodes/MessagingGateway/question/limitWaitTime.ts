import { WAIT_INDEFINITELY } from 'n8n-workflow';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../gateway/outcome';
import type { Item } from '../../form/item';
import { groupOf } from '../../form/build';
import { choice, number, readIn, type Field } from '../../form/field';
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

const maxDateAndTime: INodeProperties = {
	displayName: 'Max Date and Time',
	name: 'maxDateAndTime',
	type: 'dateTime',
	displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
	default: '',
	description: "When to stop waiting. A time without an offset is in the workflow's time zone.",
};

/** Until when an answer counts, given when the message is sent: both in ms since 1970. As in n8n's own nodes. */
export const limitWaitTimeOption: Field<(sentAt: number) => number> = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description: 'When to stop waiting. Without a limit, the workflow waits until an answer comes.',
	options: groupOf(limitType, resumeAmount, resumeUnit, maxDateAndTime),
	read(item) {
		const { value: entered, isFromExpression } = item.entry('options', 'limitWaitTime');
		const values = isObject(entered) && isObject(entered.values) ? entered.values : {};
		if (Object.keys(values).length === 0) {
			if (!isFromExpression) return () => forEver;
			throw item.invalid(
				"'Limit Wait Time' has no limit",
				'Set its fields one by one. To wait without a limit, remove it from the options.',
			);
		}
		const endOf = readEnd(item, values);
		const now = Date.now();
		if (endOf(now) > now && endOf(now) < forEver) return endOf;
		throw item.invalid(
			`'Limit Wait Time' ends ${endOf(now) > now ? 'after the year 2999' : 'before anybody could answer'}`,
			'Enter a time in the future, or an amount above 0. To wait without a limit, remove it from the options.',
		);
	},
};

/** n8n's date for waiting without a limit. */
const forEver = WAIT_INDEFINITELY.getTime();

function readEnd(item: Item, values: IDataObject): (sentAt: number) => number {
	if (readIn(values, limitType, item) === 'atSpecifiedTime') {
		const end = readTime(item, maxDateAndTime.displayName, values.maxDateAndTime).toMillis();
		return () => end;
	}
	const amount = readIn(values, resumeAmount, item);
	const unit = readIn(values, resumeUnit, item);
	return (sentAt) => Math.round(sentAt + amount * unitsMs[unit]);
}
