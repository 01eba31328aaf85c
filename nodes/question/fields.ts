import { WAIT_INDEFINITELY, type INodeProperties } from 'n8n-workflow';

import { number, refine, valuesOf, plainField, type PlainField } from '../form/field';
import { readTime } from '../form/fields/scheduleAt';
import { groupReader, type Item } from '../form/item';
import { groupOf, groupOption, option } from '../form/option';
import { makeSendable, trimmed, visible, choice } from '../form/textField';
import type { Owner } from '../n8n/errors';
import { groupBy } from '../text/collections';
import { isObject, objectList } from '../text/values';
import type { Form } from './question';

/** Takes off what shows letters in another order: backwards, a label could read as its opposite. */
const inWrittenOrder = (of: PlainField<string>): PlainField<string> =>
	refine(of, (text) => makeSendable(text).replace(/[\u202d\u202e]/g, ''));

const visibleText = (property: INodeProperties, hint: string): PlainField<string> =>
	visible(inWrittenOrder(trimmed(property)), hint);

/** The fields have the names of n8n's own nodes that wait for a response. 'Choice' is our own. */

const messageField = visibleText(
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. May we deliver your order tomorrow?',
		hint: 'With its link: two SMS, or three to five with á, ã, ç',
		description:
			'The question to ask. The SMS contains it with a link to a page where the recipient answers.',
	},
	'Enter the question for the recipient.',
);

const responseTypeField = choice({
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{ name: 'Approval', value: 'approval', description: 'Two buttons: Approve and Decline' },
		{ name: 'Choice', value: 'choice', description: 'A button for each of your choices' },
		{ name: 'Free Text', value: 'freeText', description: 'A field to enter text' },
	],
	default: 'approval',
	description: 'How the recipient can answer',
});

const buttonLabel = (property: Omit<INodeProperties, 'type'>): PlainField<string> =>
	visibleText({ ...property, type: 'string' }, 'Enter the label of the button.');

const approvalFields = {
	type: choice({
		displayName: 'Type of Approval',
		name: 'approvalType',
		type: 'options',
		options: [
			{ name: 'Approve Only', value: 'single', description: 'One button' },
			{ name: 'Approve and Decline', value: 'double', description: 'Two buttons' },
		],
		default: 'double',
		description: 'Which buttons the page has',
	}),
	approve: buttonLabel({
		displayName: 'Approve Button Label',
		name: 'approveLabel',
		default: 'Approve',
		description: 'Label of the button to approve',
	}),
	disapprove: buttonLabel({
		displayName: 'Decline Button Label',
		name: 'disapproveLabel',
		displayOptions: { show: { approvalType: ['double'] } },
		default: 'Decline',
		description: 'Label of the button to decline',
	}),
};
const approvalOf = valuesOf(approvalFields);

const approvalOptionsField = plainField(
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		displayOptions: { show: { responseType: ['approval'] } },
		placeholder: 'Change Approve and Decline',
		default: {},
		description:
			"If empty, the page has the buttons Approve and Decline, in the recipient's language",
		options: groupOf(...Object.values(approvalFields)),
	},
	(entered, reader): Form => {
		const { values = {} } = isObject(entered) ? entered : { values: null };
		if (!isObject(values)) {
			throw reader.invalid("'Approval Options' has no options", 'Set its fields one by one.');
		}
		const options = approvalOf(groupReader(reader, values, 'approvalOptions', 'values'));
		const { type, approve } = options;
		if (type === 'single') return { type: 'approval', approve };
		const { disapprove } = options;
		rejectEqual(reader, 'Approval Options', [approve, disapprove]);
		return { type: 'approval', approve, disapprove };
	},
);

const choiceLabel = visibleText(
	{
		displayName: 'Label',
		name: 'label',
		type: 'string',
		default: '',
		placeholder: 'e.g. Tomorrow morning',
		description: 'Label of the button, which is also the answer',
	},
	"Enter a label for each of the 'Choices'.",
);

const choicesField = plainField(
	{
		displayName: 'Choices',
		name: 'choices',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		displayOptions: { show: { responseType: ['choice'] } },
		placeholder: 'Add Choice',
		default: {},
		description: 'The buttons on the page, from top to bottom',
		options: groupOf(choiceLabel),
	},
	(entered, reader): Form => {
		const entries = isObject(entered) ? objectList(entered.values) : [];
		const labels = entries.map((values, at) =>
			choiceLabel.read(groupReader(reader, values, 'choices', 'values', String(at))),
		);
		if (labels.length === 0) {
			throw reader.invalid("'Choices' is empty", 'Add a choice for each possible answer.');
		}
		rejectEqual(reader, 'Choices', labels);
		return { type: 'choice', labels };
	},
);

export const questionFields = {
	message: messageField,
	form: refine(responseTypeField, (type, item: Item): Form => {
		if (type === 'approval') return approvalOptionsField.read(item);
		return type === 'choice' ? choicesField.read(item) : { type };
	}),
	approvalOptions: approvalOptionsField,
	choices: choicesField,
};

export const responseFormTitleOption = option(
	inWrittenOrder(
		trimmed({
			displayName: 'Response Form Title',
			name: 'responseFormTitle',
			type: 'string',
			default: '',
			placeholder: 'e.g. Your delivery',
			description:
				"Title of the page where the recipient answers. Leave empty for a standard one in the reader's language.",
		}),
	),
);

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
		if (Object.keys(entered).length === 0) return noEnd;
		if (values.limitType === 'atSpecifiedTime') {
			const end = readTime(item, waitLimitFields.end.displayName, values.end).toMillis();
			return () => Math.min(end, endlessMs);
		}
		const { amount, unit } = values;
		return (sentAt) => Math.min(Math.round(sentAt + amount * unitsMs[unit]), endlessMs);
	},
	noEnd,
);

/** Refuses a question that nobody could answer if it is sent at this instant. @throws NodeOperationError */
export function checkLimit(item: Item, endOf: EndOf, now: number): void {
	if (endOf(now) > now) return;
	throw item.invalid(
		"'Limit Wait Time' ends before anybody could answer",
		'Enter a time in the future, or an amount above 0. To wait without a limit, remove it from the options.',
	);
}

function rejectEqual(owner: Owner, displayName: string, labels: string[]): void {
	const [twice] = [...groupBy(labels, String).values()].find(({ length }) => length > 1) ?? [];
	if (twice === undefined) return;
	throw owner.invalid(
		`'${displayName}' has two buttons with the same label: '${owner.quote(twice)}'`,
		'Give each button a different label.',
	);
}
