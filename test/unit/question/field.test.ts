import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import {
	checkLimit,
	limitWaitTimeOption,
	questionFields,
	responseFormTitleOption,
} from '../../../nodes/question/fields';
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

/** When the message is sent; far from today, so that times of the table are to come. */
const now = Date.parse('2226-03-01T12:00:00Z');
const minute = 60_000;

type Entered = IDataObject | string | null | undefined;

/** In ms after `now`. */
async function limit(limitWaitTime: Entered, sentAt = now) {
	const item = await makeItem({ options: { limitWaitTime } });
	const endOf = limitWaitTimeOption.read(item);
	checkLimit(item, endOf, now);
	return endOf(sentAt) - now;
}

test.each<[IDataObject, number]>([
	[{ resumeAmount: 45, resumeUnit: 'minutes' }, 45 * minute],
	[{ resumeAmount: 2, resumeUnit: 'days' }, 2880 * minute],
	[{ resumeAmount: 0.5 }, 30 * minute],
	[{ resumeAmount: '2', resumeUnit: ' minutes ' }, 2 * minute],
	[{ resumeAmount: 0.00001, resumeUnit: 'minutes' }, 1],
	[{ limitType: 'afterTimeInterval' }, 60 * minute],
	[{ limitType: ' atSpecifiedTime ', maxDateAndTime: '2226-03-01T09:30:00' }, 30 * minute],
	[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2226-03-01T12:30:00Z' }, 30 * minute],
])('the limit %j', async (values, ms) => {
	expect(await limit({ values })).toBe(ms);
});

test('an interval counts from when the message is sent, a time does not', async () => {
	const read = async (values: IDataObject) => await limit({ values }, now + minute);
	expect(await read({ resumeAmount: 5, resumeUnit: 'minutes' })).toBe(6 * minute);
	const maxDateAndTime = '2226-03-01T12:05:00Z';
	expect(await read({ limitType: 'atSpecifiedTime', maxDateAndTime })).toBe(5 * minute);
});

const days = (resumeAmount: number) => ({ values: { resumeAmount, resumeUnit: 'days' } });

test.each<[Entered]>([[undefined], [''], [{}], [{ values: {} }], [days(1e9)], [days(1e308)]])(
	'%j is no limit',
	async (entered) => {
		expect(await limit(entered)).toBe(WAIT_INDEFINITELY.getTime() - now);
	},
);

const past = /^'Limit Wait Time' ends before anybody could answer$/;
const at = (maxDateAndTime: unknown): IDataObject => ({
	limitType: 'atSpecifiedTime',
	maxDateAndTime: maxDateAndTime as string,
});

test.each<[IDataObject, RegExp]>([
	[{ resumeAmount: 0 }, past],
	[{ resumeAmount: 0.000001, resumeUnit: 'minutes' }, past],
	[at('2026-03-01T12:00:00Z'), past],
	[at('2026-03-01'), /^'Max Date and Time' has no time of day: '2026-03-01'$/],
	[{ resumeAmount: -1 }, /'Amount'/],
	[{ resumeAmount: null }, /'Amount'/],
	[{ resumeUnit: 'weeks' }, /'Unit'/],
	[{ limitType: 'never' }, /'Limit Type'/],
	[at('soon'), /^'Max Date and Time' is not a date and time: 'soon'$/],
	[at(undefined), /^'Max Date and Time' is empty$/],
])('the limit %j is refused', async (values, message) => {
	const refused = limit({ values });
	await expect(refused).rejects.toMatchObject({
		message: expect.stringMatching(message),
		description: expect.stringMatching(/\w/),
	});
	if (message === past) {
		await expect(refused).rejects.toMatchObject({
			description: expect.stringContaining('remove it from the options'),
		});
	}
});
