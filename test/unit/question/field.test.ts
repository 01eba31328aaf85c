import type { IDataObject } from 'n8n-workflow';

import { pageTitleOption, questionFields } from '../../../nodes/MessagingGateway/question/field';
import { makeItem } from '../../../testing/item';

const form = async (responseType: string, parameters: IDataObject = {}) =>
	questionFields.form.read(await makeItem({ responseType, ...parameters }));
const approval = async (values: IDataObject | null | string) =>
	await form('approval', { approvalOptions: { values } });
const choice = async (...labels: unknown[]) =>
	await form('choice', {
		choices: { values: labels.map((label) => ({ label })) as IDataObject[] },
	});

const double = { approvalType: 'double' };

test('without options there is one button', async () => {
	const one = { type: 'approval', approve: 'Approve' };
	expect(await form('approval')).toEqual(one);
	expect(await form('approval', { approvalOptions: {} })).toEqual(one);
	expect(await approval({})).toEqual(one);
	expect(await form(' approval ')).toEqual(one);
});

test('an approval has the buttons that are set', async () => {
	expect(await approval(double)).toEqual({
		type: 'approval',
		approve: 'Approve',
		disapprove: 'Decline',
	});
	expect(
		await approval({ approvalType: ' double ', approveLabel: ' Yes ', disapproveLabel: 7 }),
	).toEqual({ type: 'approval', approve: 'Yes', disapprove: '7' });
	expect(await approval({ approveLabel: 'Yes', disapproveLabel: '' })).toEqual({
		type: 'approval',
		approve: 'Yes',
	});
});

test('choices keep their order', async () => {
	expect(await choice(' Morning', 2, 'Noon')).toEqual({
		type: 'choice',
		labels: ['Morning', '2', 'Noon'],
	});
});

test('a free text has no button of its own', async () => {
	expect(await form('freeText', { choices: 'none' })).toEqual({ type: 'freeText' });
});

const oneByOne = /one by one/;
const onButton = /label of the button/;
const choose = /Add a choice/;
const apart = /different label/;

test.each<[string, () => Promise<unknown>, string, RegExp]>([
	['no options', async () => await approval(null), "'Approval Options' has no options", oneByOne],
	[
		'options of an expression that gives a text',
		async () => await form('approval', { approvalOptions: 'double' }),
		"'Approval Options' has no options",
		oneByOne,
	],
	[
		'no label',
		async () => await approval({ approveLabel: ' ' }),
		"'Approve Button Label' is empty",
		onButton,
	],
	[
		'no label to decline',
		async () => await approval({ ...double, disapproveLabel: '' }),
		"'Disapprove Button Label' is empty",
		onButton,
	],
	[
		'two labels of one text',
		async () => await approval({ ...double, approveLabel: 'Decline ' }),
		"Two buttons look the same: 'Decline'",
		apart,
	],
	[
		'a label written backwards',
		async () => await approval({ approveLabel: '\u202eenilceD' }),
		"'Approve Button Label' would be shown in a different order than it is written",
		/U\+202E/,
	],
	[
		'a choice written backwards',
		async () => await choice('Morning', 'a\u202dNoon'),
		"'Label' would be shown in a different order than it is written",
		/^Remove the invisible character/,
	],
	[
		'a label that nobody sees',
		async () => await approval({ ...double, disapproveLabel: '\u3164' }),
		"'Disapprove Button Label' has no visible characters",
		onButton,
	],
	[
		'a choice that nobody sees',
		async () => await choice('\u200b\u2800\u{e0020}'),
		"'Label' has no visible characters",
		onButton,
	],
	[
		'two labels that look the same',
		async () =>
			await approval({ ...double, approveLabel: 'Yes', disapproveLabel: 'Y\u0435s\u200b' }),
		"Two buttons look the same: 'Y\u0435s\u200b'",
		apart,
	],
	['no choice', async () => await choice(), "'Choices' is empty", choose],
	[
		'choices of an expression that gives nothing',
		async () => await form('choice', { choices: null }),
		"'Choices' is empty",
		choose,
	],
	[
		'choices of an expression that gives a text',
		async () => await form('choice', { choices: 'Morning' }),
		"'Choices' is empty",
		choose,
	],
	[
		'a text for the list of choices',
		async () => await form('choice', { choices: { values: 'Morning' } }),
		"'Choices' is empty",
		choose,
	],
	['an empty choice', async () => await choice('Morning', ''), "'Label' is empty", onButton],
	['a choice of nothing', async () => await choice(null), "'Label' is empty", onButton],
	[
		'two choices of one text',
		async () => await choice('Noon', 'Morning', 'Noon'),
		"Two buttons look the same: 'Noon'",
		apart,
	],
])('%s is refused', async (_, read, message, description) => {
	await expect(read()).rejects.toMatchObject({
		message,
		description: expect.stringMatching(description),
	});
});

test.each([
	['Type of Approval', async () => await approval({ approvalType: 'triple' })],
	['Type of Approval', async () => await approval({ approvalType: {} })],
	['Response Type', async () => await form('both')],
	['Approve Button Label', async () => await approval({ approveLabel: ['Yes'] })],
	['Disapprove Button Label', async () => await approval({ ...double, disapproveLabel: {} })],
	['Label', async () => await choice({})],
])("a value that '%s' cannot have is refused by that name", async (label, read) => {
	await expect(read()).rejects.toThrow(`'${label}'`);
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
	const item = await makeItem({ message: text, options: { pageTitle: text } });
	expect(() => questionFields.message.read(item)).toThrow(
		"'Message' would be shown in a different order",
	);
	expect(() => pageTitleOption.read(item)).toThrow(
		"'Page Title' would be shown in a different order",
	);
});
