import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { number, plainField, type FieldValues } from '../form/field';
import { readTime } from '../form/fields/scheduleAt';
import type { Item } from '../form/item';
import { groupOption } from '../form/option';
import { choice } from '../form/textField';

const unitsMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

const waitLimitFields = {
	limitType: choice({
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
		// The hint stands here, because the editor shows none of a collection.
		hint: "After the limit, the item continues without 'data.respondedAt'",
	}),
	amount: number({
		displayName: 'Amount',
		name: 'resumeAmount',
		type: 'number',
		displayOptions: { show: { limitType: ['afterTimeInterval'] } },
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 1,
		description: 'How long to wait',
	}),
	unit: choice({
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
	}),
	end: plainField(
		{
			displayName: 'Max Date and Time',
			name: 'maxDateAndTime',
			type: 'dateTime',
			displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
			default: '',
			description: "When to stop waiting, e.g. 2030-12-31T09:30:00, in the workflow's time zone",
		},
		(entered) => entered,
	),
};

/** n8n's date for waiting without a limit, in ms since 1970. */
const endlessMs = WAIT_INDEFINITELY.getTime();

/** Returns when answers stop counting, by when the message is sent: both in ms since 1970. */
type EndOf = (sentAt: number) => number;

const noEnd: EndOf = () => endlessMs;

/** The option has the names and defaults of n8n's own nodes. */
export const limitWaitTimeOption = groupOption(
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		default: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		},
		description: 'When to stop waiting. Without a limit, the workflow waits until an answer comes.',
	},
	waitLimitFields,
	(values, item, entered): EndOf => {
		if (Object.keys(entered).length > 0) return readEnd(values, item);
		if (!item.isFromExpression('options', 'limitWaitTime')) return noEnd;
		throw item.invalid(
			"'Limit Wait Time' has no limit",
			'Set its fields one by one. To wait without a limit, remove it from the options.',
		);
	},
	noEnd,
);

function readEnd(values: FieldValues<typeof waitLimitFields>, item: Item): EndOf {
	if (values.limitType === 'atSpecifiedTime') {
		const end = readTime(item, waitLimitFields.end.displayName, values.end).toMillis();
		return () => Math.min(end, endlessMs);
	}
	const { amount, unit } = values;
	return (sentAt) => Math.min(Math.round(sentAt + amount * unitsMs[unit]), endlessMs);
}

/** Refuses a question that nobody could answer if it is sent at this instant. @throws NodeOperationError */
export function checkLimit(item: Item, endOf: EndOf, now: number): void {
	if (endOf(now) > now) return;
	throw item.invalid(
		"'Limit Wait Time' ends before anybody could answer",
		'Enter a time in the future, or an amount above 0. To wait without a limit, remove it from the options.',
	);
}
