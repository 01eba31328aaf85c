import type { IDataObject } from 'n8n-workflow';

import { responseFormTitleOption, questionFields } from '../../../nodes/question/fields';
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

const labels = { approveLabel: ' Yes ', disapproveLabel: 7 };
const written = ['כן', '\u200fלא', '\u2068Ana\u2069']; // from right to left
const single = { type: 'approval', approve: 'Yes' };
const both = { type: 'approval', approve: 'Approve', disapprove: 'Decline' };

test.each<[IDataObject, object]>([
	[{}, both],
	[{ approvalOptions: {} }, both],
	[approval({}), both],
	[{ responseType: ' approval ' }, both],
	[double(), both],
	[approval({ approvalType: 'single' }), { type: 'approval', approve: 'Approve' }],
	[approval({ approvalType: ' double ', ...labels }), { ...both, approve: 'Yes', disapprove: '7' }],
	[approval({ ...labels, approvalType: 'single', disapproveLabel: '' }), single],
	[choice(' Morning', 2, 'Noon'), { type: 'choice', labels: ['Morning', '2', 'Noon'] }],
	[{ responseType: 'freeText', choices: 'none' }, { type: 'freeText' }],
	[choice(...written), { type: 'choice', labels: written }],
])('%j is read as %j', async (parameters, expected) => {
	expect(await form(parameters)).toEqual(expected);
});

test.each([
	['half an emoji, which a cut leaves', 'Is it ready? 😀'.slice(0, -1), 'Is it ready? '],
	['what shows a text in another order than it is written', 'Pay \u202e001\u202d', 'Pay 001'],
])('%s is taken off', async (_, text, rest) => {
	const item = await makeItem({ message: text, options: { responseFormTitle: text } });
	expect(questionFields.message.read(item)).toBe(rest);
	expect(responseFormTitleOption.read(item)).toBe(rest);
	expect(await form(choice(text))).toEqual({ type: 'choice', labels: [rest] });
});

const oneByOne = /one by one/;
const onButton = /label of the button/;
const onChoice = /label for each of the 'Choices'/;
const choose = /Add a choice/;
const apart = /different label/;
const responseType = 'choice';

/** Fields of other kinds, and what to do: refusals.test.ts. */
test.each<[string, RegExp, ...IDataObject[]]>([
	["'Approval Options' has no options", oneByOne, approval(null), { approvalOptions: 'double' }],
	["'Approve Button Label' is empty", onButton, approval({ approveLabel: ' ' })],
	["'Decline Button Label' is empty", onButton, double({ disapproveLabel: '' })],
	["two buttons with the same label: 'Decline'", apart, double({ approveLabel: 'Decline ' })],
	["two buttons with the same label: 'Noon'", apart, choice('Noon', 'Morning', 'Noon')],
	["'Decline Button Label' is empty", onButton, double({ disapproveLabel: '\u3164' })],
	["'Label' is empty", onChoice, choice('\u200b\u2800\u{e0020}')],
	["'Choices' is empty", choose, choice(), { responseType, choices: null }],
	["'Choices' is empty", choose, { responseType, choices: 'Morning' }],
	["'Choices' is empty", choose, { responseType, choices: { values: 'Morning' } }],
	["'Label' is empty", onChoice, choice('Morning', ''), choice(null)],
	["'Type of Approval' cannot be 'triple'", /single or double/, double({ approvalType: 'triple' })],
	["'Label' is not text", /one text or number/, choice({})],
])('%s', async (message, description, ...refused) => {
	for (const parameters of refused) {
		await expect(form(parameters)).rejects.toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringMatching(description),
		});
	}
});

test.each<[string, string, string?]>([
	['', "'Message' is empty"],
	[' \n', "'Message' is empty"],
	['\u200b\u3164', "'Message' is empty"],
	['', "The expression in 'Message' returned nothing for this item", '={{ $json.question }}'],
])('a message is trimmed, and must be seen: %j', async (message, refusal, entered = message) => {
	const read = async (text: string) =>
		questionFields.message.read(
			await makeItem({ message: text }, { parameters: { message: entered } }),
		);
	expect(await read(' May we?\n')).toBe('May we?');
	await expect(read(message)).rejects.toThrow(refusal);
});
