import type { IDataObject } from 'n8n-workflow';

import {
	responseFormTitleOption,
	questionFields,
} from '../../../nodes/MessagingGateway/question/fields';
import { makeItem } from '../../../tools/shared/item';

const form = async (parameters: IDataObject) =>
	questionFields.form.read(
		await makeItem({ responseType: 'approval', approvalOptions: {}, ...parameters }),
	);
const approval = (values: unknown) => ({ approvalOptions: { values } }) as IDataObject;
const double = (values: object = {}) => approval({ approvalType: 'double', ...values });
const choice = (...labels: unknown[]) =>
	({
		responseType: 'choice',
		choices: { values: labels.map((label) => ({ label })) },
	}) as IDataObject;

const both = { type: 'approval', approve: 'Approve', disapprove: 'Decline' };

test.each<[IDataObject, object]>([
	[{}, both],
	[{ approvalOptions: {} }, both],
	[approval({}), both],
	[{ responseType: ' approval ' }, both],
	[double(), both],
	[approval({ approvalType: 'single' }), { type: 'approval', approve: 'Approve' }],
	[
		approval({ approvalType: ' double ', approveLabel: ' Yes ', disapproveLabel: 7 }),
		{ type: 'approval', approve: 'Yes', disapprove: '7' },
	],
	[
		approval({ approvalType: 'single', approveLabel: 'Yes', disapproveLabel: '' }),
		{ type: 'approval', approve: 'Yes' },
	],
	[choice(' Morning', 2, 'Noon'), { type: 'choice', labels: ['Morning', '2', 'Noon'] }],
	[{ responseType: 'freeText', choices: 'none' }, { type: 'freeText' }],
	[
		choice('כן', '\u200fלא', '\u2068Ana\u2069'),
		{ type: 'choice', labels: ['כן', '\u200fלא', '\u2068Ana\u2069'] },
	],
])('%j is read as %j', async (parameters, expected) => {
	expect(await form(parameters)).toEqual(expected);
});

test('half an emoji, which a cut leaves, is taken off', async () => {
	const cut = 'Is it ready? 😀'.slice(0, -1);
	const item = await makeItem({ message: cut, options: { responseFormTitle: cut } });
	expect(questionFields.message.read(item)).toBe('Is it ready? ');
	expect(responseFormTitleOption.read(item)).toBe('Is it ready? ');
	expect(await form(choice(cut))).toEqual({ type: 'choice', labels: ['Is it ready? '] });
});

const oneByOne = /one by one/;
const onButton = /label of the button/;
const choose = /Add a choice/;
const apart = /different label/;
const responseType = 'choice';

test.each<[IDataObject, string, RegExp]>([
	[approval(null), "'Approval Options' has no options", oneByOne],
	[{ approvalOptions: 'double' }, "'Approval Options' has no options", oneByOne],
	[approval({ approveLabel: ' ' }), "'Approve Button Label' is empty", onButton],
	[double({ disapproveLabel: '' }), "'Disapprove Button Label' is empty", onButton],
	[
		double({ approveLabel: 'Decline ' }),
		"'Approval Options' has two buttons with the same label: 'Decline'",
		apart,
	],
	[
		approval({ approveLabel: '\u202eenilceD' }),
		"'Approve Button Label' would be shown in a different order than it is written",
		/U\+202E/,
	],
	[
		choice('Morning', 'a\u202dNoon'),
		"'Label' would be shown in a different order than it is written",
		/^Remove the invisible character/,
	],
	[
		double({ disapproveLabel: '\u3164' }),
		"'Disapprove Button Label' has no visible characters",
		onButton,
	],
	[choice('\u200b\u2800\u{e0020}'), "'Label' of 'Choices' has no visible characters", onButton],
	[choice(), "'Choices' is empty", choose],
	[{ responseType, choices: null }, "'Choices' is empty", choose],
	[{ responseType, choices: 'Morning' }, "'Choices' is empty", choose],
	[{ responseType, choices: { values: 'Morning' } }, "'Choices' is empty", choose],
	[choice('Morning', ''), "'Label' of 'Choices' is empty", onButton],
	[choice(null), "'Label' of 'Choices' is empty", onButton],
	[
		choice('Noon', 'Morning', 'Noon'),
		"'Choices' has two buttons with the same label: 'Noon'",
		apart,
	],
	[double({ approvalType: 'triple' }), "'Type of Approval' cannot be 'triple'", /single or double/],
	[double({ approvalType: {} }), "'Type of Approval' is an object, not text", /single value/],
	[{ responseType: 'both' }, "'Response Type' cannot be 'both'", /approval, choice or freeText/],
	[approval({ approveLabel: ['Yes'] }), "'Approve Button Label' is a list, not text", /value/],
	[double({ disapproveLabel: {} }), "'Disapprove Button Label' is an object, not text", /value/],
	[choice({}), "'Label' is an object, not text", /single value/],
])('%j is refused: %s', async (parameters, message, description) => {
	await expect(form(parameters)).rejects.toMatchObject({
		message,
		description: expect.stringMatching(description),
	});
});

test('a message is trimmed, and not empty', async () => {
	expect(questionFields.message.read(await makeItem({ message: ' May we?\n' }))).toBe('May we?');
	for (const message of ['', ' \n', '\u200b\u3164']) {
		const item = await makeItem({ message });
		expect(() => questionFields.message.read(item)).toThrow("'Message' is empty");
	}
});

test('neither message nor title is shown in another order than it is written', async () => {
	const text = 'Pay \u202e001';
	const item = await makeItem({ message: text, options: { responseFormTitle: text } });
	expect(() => questionFields.message.read(item)).toThrow(
		"'Message' would be shown in a different order",
	);
	expect(() => responseFormTitleOption.read(item)).toThrow(
		"'Response Form Title' would be shown in a different order",
	);
});
