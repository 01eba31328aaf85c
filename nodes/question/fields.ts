import type { INodeProperties } from 'n8n-workflow';

import { refine, valuesOf, plainField, type PlainField } from '../form/field';
import { groupReader, type Item } from '../form/item';
import { groupOf, option } from '../form/option';
import { makeSendable, trimmed, emptyField, choice } from '../form/textField';
import type { Owner } from '../n8n/errors';
import { groupBy } from '../text/collections';
import { isObject, objectList } from '../text/json';
import { visibleIn } from '../text/text';
import type { Form } from './question';

/** Takes off what shows letters in another order: backwards, a label could read as its opposite. */
const inWrittenOrder = (of: PlainField<string>): PlainField<string> =>
	refine(of, (text) => makeSendable(text).replace(/[\u202d\u202e]/g, ''));

/** Makes a field whose text has something to see. @param hint what to enter where there is nothing */
const visibleText = (property: INodeProperties, hint: string): PlainField<string> =>
	refine(inWrittenOrder(trimmed(property)), (text, reader) => {
		if (visibleIn(text) !== '') return text;
		throw emptyField(property, reader, hint);
	});

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

function rejectEqual(owner: Owner, displayName: string, labels: string[]): void {
	const [twice] = [...groupBy(labels, String).values()].find(({ length }) => length > 1) ?? [];
	if (twice === undefined) return;
	throw owner.invalid(
		`'${displayName}' has two buttons with the same label: '${owner.quote(twice)}'`,
		'Give each button a different label.',
	);
}
