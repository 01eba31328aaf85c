import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject, objectList } from '../../gateway/answerBody';
import type { Item } from '../../form/item';
import { asChoice, asText } from '../../form/values';
import { isReordered, isVisible, looksOf } from './looks';
import type { Form } from './question';

/** The names of n8n's own nodes that wait for a response, and a choice besides. */
export const questionFields: INodeProperties[] = [
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. May we deliver your order tomorrow?',
		hint: 'The link behind it takes about 150 characters: with 140 of your own, the SMS has two segments, and with a letter such as ã three or more',
		description:
			'The question, in plain text. It stands in the SMS, with a link behind it, and on the page that the link opens.',
	},
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		options: [
			{
				name: 'Approval',
				value: 'approval',
				description: 'The page has a button to approve and, if you want, one to decline',
			},
			{
				name: 'Choice',
				value: 'choice',
				description: 'The page has a button for each of your choices',
			},
			{ name: 'Free Text', value: 'freeText', description: 'The page has a field for a text' },
		],
		default: 'approval',
		description: 'How the recipient can answer',
	},
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		displayOptions: { show: { responseType: ['approval'] } },
		placeholder: 'Add Option',
		default: {},
		description: 'The buttons of the page. Without options there is one, to approve.',
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Type of Approval',
						name: 'approvalType',
						type: 'options',
						options: [
							{ name: 'Approve Only', value: 'single' },
							{ name: 'Approve and Disapprove', value: 'double' },
						],
						default: 'single',
						description: 'Whether there is a button to decline, too',
					},
					{
						displayName: 'Approve Button Label',
						name: 'approveLabel',
						type: 'string',
						default: 'Approve',
						description: 'What stands on the button to approve',
					},
					{
						displayName: 'Disapprove Button Label',
						name: 'disapproveLabel',
						type: 'string',
						displayOptions: { show: { approvalType: ['double'] } },
						default: 'Decline',
						description: 'What stands on the button to decline',
					},
				],
			},
		],
	},
	{
		displayName: 'Choices',
		name: 'choices',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		displayOptions: { show: { responseType: ['choice'] } },
		placeholder: 'Add Choice',
		default: {},
		description: 'The buttons of the page, from top to bottom',
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Label',
						name: 'label',
						type: 'string',
						default: '',
						placeholder: 'e.g. Tomorrow morning',
						description: 'What stands on the button, and comes out as the answer',
					},
				],
			},
		],
	},
];

export const pageTitleOption: INodeProperties = {
	displayName: 'Page Title',
	name: 'pageTitle',
	type: 'string',
	default: '',
	placeholder: 'e.g. Your delivery',
	description: "Heading of the page. When empty, it asks for an answer in the reader's language.",
};

/** @throws NodeOperationError when it is empty, or reads as something else than it is */
export function readMessage(item: Item): string {
	const message = item.text('message', 'Message').trim();
	if (isVisible(message)) return asWritten(item, message, 'Message');
	throw item.invalid("'Message' is empty", 'Enter the question that the recipient is to answer.');
}

/** Empty where none is set. @throws NodeOperationError when it reads as something else than it is */
export const readPageTitle = (item: Item): string =>
	asWritten(item, item.optionText('pageTitle', 'Page Title'), 'Page Title');

/** @throws NodeOperationError when a button would have no label, or the same as another one */
export function readForm(item: Item): Form {
	const types = ['approval', 'choice', 'freeText'] as const;
	const type = item.choice('responseType', 'Response Type', types);
	if (type === 'approval') return readApproval(item);
	return type === 'choice' ? { type, labels: readChoices(item) } : { type };
}

function readApproval(item: Item): Form {
	const { approvalType, approveLabel, disapproveLabel } = {
		approvalType: 'single',
		approveLabel: 'Approve',
		disapproveLabel: 'Decline',
		...readValues(item),
	};
	const text = asText(item, approvalType, 'Type of Approval').trim();
	const kind = asChoice(item, text, 'Type of Approval', ['single', 'double']);
	const approve = readLabel(item, approveLabel, 'Approve Button Label');
	if (kind === 'single') return { type: 'approval', approve };
	const disapprove = readLabel(item, disapproveLabel, 'Disapprove Button Label');
	rejectEqual(item, [approve, disapprove]);
	return { type: 'approval', approve, disapprove };
}

function readChoices(item: Item): string[] {
	const choices = item.parameter<unknown>('choices', {});
	const entries = isObject(choices) ? objectList(choices.values) : [];
	const labels = entries.map(({ label }) => readLabel(item, label, 'Label'));
	if (labels.length === 0) {
		throw item.invalid("'Choices' is empty", 'Add a choice for each answer that there is.');
	}
	rejectEqual(item, labels);
	return labels;
}

/** Those of the approval that were set. */
function readValues(item: Item): IDataObject {
	const options = item.parameter<unknown>('approvalOptions', {});
	const { values = {} } = isObject(options) ? options : { values: null };
	if (isObject(values)) return values;
	throw item.invalid(
		"'Approval Options' has no value",
		'Its expression gives this item no options. Set them one by one.',
	);
}

function readLabel(item: Item, value: unknown, displayName: string): string {
	const label = asText(item, value, displayName).trim();
	if (isVisible(label)) return asWritten(item, label, displayName);
	throw item.invalid(
		`'${displayName}' ${label === '' ? 'is empty' : 'has nothing that could be seen'}`,
		'Enter what is to stand on the button.',
	);
}

/** A person decides by what is shown: a label written backwards could read as its opposite. */
function asWritten(item: Item, text: string, displayName: string): string {
	if (!isReordered(text)) return text;
	throw item.invalid(
		`'${displayName}' would be shown in another order than it is written`,
		'It holds an invisible character that turns the direction of letters (U+202D or U+202E). Remove it.',
	);
}

function rejectEqual(item: Item, labels: string[]): void {
	const looks = labels.map(looksOf);
	const twice = labels.find((_, index) => looks.indexOf(looks[index]!) !== index);
	if (twice === undefined) return;
	throw item.invalid(
		`Two buttons look the same: '${item.quote(twice)}'`,
		'Give each one a label of its own, so that the answers can be told apart.',
	);
}
