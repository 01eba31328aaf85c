import type { INodeProperties } from 'n8n-workflow';

import { isObject, objectList } from '../../gateway/outcome';
import { groupOf } from '../../form/build';
import {
	choice,
	optionOrDefault,
	readIn,
	refine,
	sendable,
	trimmed,
	type PlainField,
} from '../../form/field';
import type { Item } from '../../form/item';
import type { Form } from './question';
import { isVisible } from './reply';

/** A label that is shown backwards could read as its opposite: `enilceD`. */
const asWritten = (of: PlainField<string>): PlainField<string> =>
	refine(of, (text, owner) => {
		if (!/[\u202d\u202e]/.test(text)) return sendable(text);
		throw owner.invalid(
			`'${of.displayName}' would be shown in a different order than it is written`,
			'Remove the invisible character that reverses its letters (U+202D or U+202E).',
		);
	});

/** @param name of the field, for the error */
const label = (of: PlainField<string>, name = `'${of.displayName}'`): PlainField<string> =>
	asWritten(
		refine(of, (text, owner) => {
			if (isVisible(text)) return text;
			throw owner.invalid(
				`${name} ${text === '' ? 'is empty' : 'has no visible characters'}`,
				'Enter the label of the button.',
			);
		}),
	);

/** Names as in n8n's own nodes that wait for a response. 'Choice' is our own. */

const messageField = asWritten(
	refine(
		trimmed({
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
		}),
		(message, owner) => {
			if (isVisible(message)) return message;
			throw owner.invalid("'Message' is empty", 'Enter the question for the recipient.');
		},
	),
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

const approveLabel = label(
	trimmed({
		displayName: 'Approve Button Label',
		name: 'approveLabel',
		type: 'string',
		default: 'Approve',
		description: 'Label of the button to approve',
	}),
);

const disapproveLabel = label(
	trimmed({
		displayName: 'Disapprove Button Label',
		name: 'disapproveLabel',
		type: 'string',
		displayOptions: { show: { approvalType: ['double'] } },
		default: 'Decline',
		description: 'Label of the button to disapprove',
	}),
);

const approvalOptionsField: INodeProperties = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	displayOptions: { show: { responseType: ['approval'] } },
	placeholder: 'Add Option',
	default: {},
	description: 'The buttons on the page. Without options, they are Approve and Decline.',
	options: groupOf(approvalType, approveLabel, disapproveLabel),
};

const choiceLabel = label(
	trimmed({
		displayName: 'Label',
		name: 'label',
		type: 'string',
		default: '',
		placeholder: 'e.g. Tomorrow morning',
		description: 'Label of the button, which is also the answer',
	}),
	"'Label' of 'Choices'",
);

const choicesField: INodeProperties = {
	displayName: 'Choices',
	name: 'choices',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	displayOptions: { show: { responseType: ['choice'] } },
	placeholder: 'Add Choice',
	default: {},
	description: 'The buttons on the page, from top to bottom',
	options: groupOf(choiceLabel),
};

export const questionFields = {
	message: messageField,
	form: { ...responseTypeField, read: readForm },
	approvalOptions: approvalOptionsField,
	choices: choicesField,
};

export const responseFormTitleOption = optionOrDefault(
	asWritten(
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

function readForm(item: Item): Form {
	const type = responseTypeField.read(item);
	if (type === 'approval') return readApproval(item);
	return type === 'choice' ? { type, labels: readChoices(item) } : { type };
}

function readApproval(item: Item): Form {
	const options = item.parameter<unknown>(approvalOptionsField.name, {});
	const { values = {} } = isObject(options) ? options : { values: null };
	if (!isObject(values)) {
		throw item.invalid("'Approval Options' has no options", 'Set its fields one by one.');
	}
	const kind = readIn(values, approvalType, item);
	const approve = readIn(values, approveLabel, item);
	if (kind === 'single') return { type: 'approval', approve };
	const disapprove = readIn(values, disapproveLabel, item);
	rejectEqual(item, approvalOptionsField, [approve, disapprove]);
	return { type: 'approval', approve, disapprove };
}

function readChoices(item: Item): string[] {
	const choices = item.parameter<unknown>(choicesField.name, {});
	const entries = isObject(choices) ? objectList(choices.values) : [];
	const labels = entries.map((values) => choiceLabel.parse(values.label, item));
	if (labels.length === 0) {
		throw item.invalid("'Choices' is empty", 'Add a choice for each possible answer.');
	}
	rejectEqual(item, choicesField, labels);
	return labels;
}

function rejectEqual(item: Item, { displayName }: INodeProperties, labels: string[]): void {
	const twice = labels.find((label, index) => labels.indexOf(label) !== index);
	if (twice === undefined) return;
	throw item.invalid(
		`'${displayName}' has two buttons with the same label: '${item.quote(twice)}'`,
		'Give each button a different label.',
	);
}
