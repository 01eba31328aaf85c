/** What n8n stores of a question that waits, letter by letter. Later versions have to read it. */
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import {
	readQuestion,
	waitForAnswer,
	type AskedQuestion,
	type Form,
} from '../../../nodes/question/question';

const contextOf = (place: IDataObject) =>
	({
		getNode: () => ({ name: 'Ask' }),
		evaluateExpression(expression: string) {
			expect(expression).toBe('{{ $node["Ask"].context.question }}');
			return place.question;
		},
	}) as unknown as IWebhookFunctions;

const forms: Array<[Form, string]> = [
	[
		{ type: 'approval', approve: 'Yes', disapprove: 'No' },
		'{"type":"approval","approve":"Yes","disapprove":"No"}',
	],
	[{ type: 'choice', labels: ['A', 'B'] }, '{"type":"choice","labels":["A","B"]}'],
	[{ type: 'freeText' }, '{"type":"freeText"}'],
];

test.each(forms)('%j', async (form, written) => {
	const asking = { ask: '0', title: '', message: 'At noon?', form };
	const question: AskedQuestion = { ...asking, until: 1_795_000_000_000, sent: { to: '55' } };
	const place: IDataObject = {};
	await waitForAnswer({ getContext: () => place, putExecutionToWait() {} } as never, question);
	expect(place).toEqual({
		question: `{"v":1,"ask":"0","title":"","message":"At noon?","form":${written},"until":1795000000000,"sent":{"to":"55"}}`,
	});
	expect(readQuestion(contextOf(place))).toEqual(question);
});

test('none is none, and so is one of another version', () => {
	expect(readQuestion(contextOf({}))).toBeUndefined();
	expect(readQuestion(contextOf({ question: '{"v":2,"ask":"0"}' }))).toBeUndefined();
});
