import fc from 'fast-check';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import {
	maxAnswerLength,
	readQuestion,
	readReply,
	waitForAnswer,
	type AskedQuestion,
	type Form,
} from '../../../nodes/question/question';
import { json } from '../support/answers';

const single: Form = { type: 'approval', approve: 'Yes' };
const double: Form = { ...single, disapprove: 'No' };
const choice: Form = { type: 'choice', labels: ['A', 'B', '0'] };
const freeText: Form = { type: 'freeText' };
const long = 'é'.repeat(maxAnswerLength);

test.each<[Form, unknown, object | undefined]>([
	[single, { answer: 'approve' }, { approved: true }],
	[single, { answer: 'disapprove' }, undefined],
	[double, { answer: 'approve' }, { approved: true }],
	[double, { answer: 'disapprove' }, { approved: false }],
	[double, { answer: 'true' }, undefined],
	[double, { answer: ['approve'] }, undefined],
	[double, undefined, undefined],
	[double, [{ answer: 'approve' }], undefined],
	[double, Object.create({ answer: 'approve' }), undefined],
	[choice, { answer: '0' }, { choice: 'A' }],
	[choice, { answer: '2' }, { choice: '0' }],
	[choice, { answer: '3' }, undefined],
	[choice, { answer: '-1' }, undefined],
	[choice, { answer: ' 0' }, undefined],
	[choice, { answer: 'A' }, undefined],
	[choice, { answer: '__proto__' }, undefined],
	[choice, { answer: 0 }, undefined],
	[freeText, { answer: 'x' }, { text: 'x' }],
	[freeText, { answer: ' a\r\nb\rc\n ' }, { text: 'a\nb\nc' }],
	[freeText, { answer: '' }, undefined],
	[freeText, { answer: ' \r\n\t' }, undefined],
	[freeText, { answer: '\u200b\u2060\ufeff\u00ad\u0000' }, undefined],
	[freeText, { answer: long }, { text: long }],
	[freeText, { answer: `  ${long}\r\n` }, { text: long }],
	[freeText, { answer: `${long}x` }, undefined],
])('%j answered with %j is %j', (form, body, expected) => {
	expect(readReply(form, body)?.reply).toEqual(expected);
});

test('anything that is posted is an answer that the page offers, or none', () => {
	const body = fc.oneof(json, fc.record({ answer: fc.oneof(json, fc.string()) }));
	fc.assert(
		fc.property(fc.constantFrom(single, double, choice, freeText), body, (form, posted) => {
			const answer = readReply(form, posted)?.reply;
			if (!answer) return;
			if (form.type === 'approval') expect([true, false]).toContain(answer.approved);
			else if (form.type === 'choice') expect(form.labels).toContain(answer.choice);
			else expect(answer.text).toMatch(/\S/);
		}),
		{ numRuns: 100 },
	);
});

const contextOf = (place: IDataObject) =>
	({
		getNode: () => ({ name: 'Ask' }),
		evaluateExpression(expression: string) {
			expect(expression).toBe('{{ $node["Ask"].context.question }}');
			return place.question;
		},
	}) as unknown as IWebhookFunctions;

/** What n8n stores of a question that waits, letter by letter. Later versions have to read it. */
const stored: Array<[Form, string]> = [
	[
		{ type: 'approval', approve: 'Yes', disapprove: 'No' },
		'{"type":"approval","approve":"Yes","disapprove":"No"}',
	],
	[{ type: 'choice', labels: ['A', 'B'] }, '{"type":"choice","labels":["A","B"]}'],
	[{ type: 'freeText' }, '{"type":"freeText"}'],
];

test.each(stored)('%j is stored as %s', async (form, written) => {
	const asking = { ask: '0', title: '', message: 'At noon?', form };
	const question: AskedQuestion = { ...asking, until: 1_795_000_000_000, sent: { to: '55' } };
	const place: IDataObject = {};
	await waitForAnswer({ getContext: () => place, putExecutionToWait() {} } as never, question);
	expect(place).toEqual({
		question: `{"v":1,"ask":"0","title":"","message":"At noon?","form":${written},"until":1795000000000,"sent":{"to":"55"}}`,
	});
	expect(readQuestion(contextOf(place))).toEqual(question);
});

test('no question is none, and so is one of another version', () => {
	expect(readQuestion(contextOf({}))).toBeUndefined();
	expect(readQuestion(contextOf({ question: '{"v":2,"ask":"0"}' }))).toBeUndefined();
});
