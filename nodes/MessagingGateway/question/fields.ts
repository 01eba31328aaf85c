import { WAIT_INDEFINITELY, type INodeProperties } from 'n8n-workflow';

import { isObject, objectList } from '../../gateway/outcome';
import { groupOf } from '../../form/build';
import {
	choice,
	emptyField,
	groupOption,
	number,
	option,
	plain,
	refine,
	sendable,
	trimmed,
	valuesOf,
	within,
	type PlainField,
	type Values,
} from '../../form/field';
import { readTime } from '../../form/fields/scheduleAt';
import type { Item } from '../../form/item';
import type { Owner } from '../../gateway/node';
import { visible } from '../../text/text';
import type { Form } from './question';

/** Without what would show its letters in another order: backwards, a label could read as its opposite. */
const inWrittenOrder = (of: PlainField<string>): PlainField<string> =>
	refine(of, (text) => sendable(text).replace(/[\u202d\u202e]/g, ''));

/** @param hint what to enter where there is nothing to see */
const visibleText = (property: INodeProperties, hint: string): PlainField<string> =>
	refine(inWrittenOrder(trimmed(property)), (text, reader) => {
		if (visible.test(text)) return text;
		throw emptyField(property, reader, hint);
	});

/** Names as in n8n's own nodes that wait for a response. 'Choice' is our own. */

const messageField = visibleText(
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. May we deliver your order tomorrow?',
		hint: 'With its link, the message costs two SMS or more',
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
		{
			name: 'Approval',
			value: 'approval',
			description: 'A button to approve, and one to disapprove',
		},
		{
			name: 'Choice',
			value: 'choice',
			description: 'A button for each of your choices',
		},
		{ name: 'Free Text', value: 'freeText', description: 'A field to enter text' },
	],
	default: 'approval',
	description: 'How the recipient can answer',
});

const approvalType = choice({
	displayName: 'Type of Approval',
	name: 'approvalType',
	type: 'options',
	options: [
		{ name: 'Approve Only', value: 'single', description: 'One button' },
		{
			name: 'Approve and Disapprove',
			value: 'double',
			description: 'A button to approve and one to disapprove',
		},
	],
	default: 'double',
	description: 'Which buttons the page has',
});

const labelHint = 'Enter the label of the button.';

const approveLabel = visibleText(
	{
		displayName: 'Approve Button Label',
		name: 'approveLabel',
		type: 'string',
		default: 'Approve',
		description: 'Label of the button to approve',
	},
	labelHint,
);

const disapproveLabel = visibleText(
	{
		displayName: 'Disapprove Button Label',
		name: 'disapproveLabel',
		type: 'string',
		displayOptions: { show: { approvalType: ['double'] } },
		default: 'Decline',
		description: 'Label of the button to disapprove',
	},
	labelHint,
);

const approvalFields = { type: approvalType, approve: approveLabel, disapprove: disapproveLabel };
const approvalOf = valuesOf(approvalFields);

const approvalOptionsField = plain(
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		displayOptions: { show: { responseType: ['approval'] } },
		placeholder: 'Add Option',
		default: {},
		description: 'The buttons on the page. Without options, they are Approve and Decline.',
		options: groupOf(...Object.values(approvalFields)),
	},
	(entered, reader): Form => {
		const { values = {} } = isObject(entered) ? entered : { values: null };
		if (!isObject(values)) {
			throw reader.invalid("'Approval Options' has no options", 'Set its fields one by one.');
		}
		const options = approvalOf(within(reader, values));
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

/** More would also keep n8n's thread busy. */
const maxChoices = 100;

const choicesField = plain(
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
		if (entries.length > maxChoices) {
			throw reader.invalid(
				`'Choices' has ${entries.length} entries`,
				`Offer at most ${maxChoices}, or ask for a free text.`,
			);
		}
		const labels = entries.map((values) => choiceLabel.read(within(reader, values)));
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

function rejectEqual(owner: Owner, displayName: string, labels: string[]): void {
	const twice = labels.find((label, index) => labels.indexOf(label) !== index);
	if (twice === undefined) return;
	throw owner.invalid(
		`'${displayName}' has two buttons with the same label: '${owner.quote(twice)}'`,
		'Give each button a different label.',
	);
}

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

const resumeAmountField = number({
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

const maxDateAndTime = plain(
	{
		displayName: 'Max Date and Time',
		name: 'maxDateAndTime',
		type: 'dateTime',
		displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
		default: '',
		description: "When to stop waiting, e.g. 2030-12-31T09:30:00, in the workflow's time zone",
	},
	(entered) => entered,
);

const waitLimitFields = {
	limitType,
	amount: resumeAmountField,
	unit: resumeUnit,
	end: maxDateAndTime,
};

/** n8n's date for waiting without a limit. */
const endlessMs = WAIT_INDEFINITELY.getTime();

/** Until when an answer counts, given when the message is sent: both in ms since 1970. */
type EndOf = (sentAt: number) => number;

const noEnd: EndOf = () => endlessMs;

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

function readEnd(values: Values<typeof waitLimitFields>, item: Item): EndOf {
	if (values.limitType === 'atSpecifiedTime') {
		const end = readTime(item, maxDateAndTime.displayName, values.end).toMillis();
		return () => Math.min(end, endlessMs);
	}
	const { amount, unit } = values;
	return (sentAt) => Math.min(Math.round(sentAt + amount * unitsMs[unit]), endlessMs);
}

/** @throws NodeOperationError when nobody could answer a question that is sent at this instant */
export function checkLimit(item: Item, endOf: EndOf, now: number): void {
	if (endOf(now) > now) return;
	throw item.invalid(
		"'Limit Wait Time' ends before anybody could answer",
		'Enter a time in the future, or an amount above 0. To wait without a limit, remove it from the options.',
	);
}
