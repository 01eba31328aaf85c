import fc from 'fast-check';

import { longestText, readReply } from '../../../nodes/MessagingGateway/question/question';
import type { Form } from '../../../nodes/MessagingGateway/question/question';
import { json } from '../support/answers';

const single: Form = { type: 'approval', approve: 'Yes' };
const double: Form = { ...single, disapprove: 'No' };
const choice: Form = { type: 'choice', labels: ['A', 'B', '0'] };
const freeText: Form = { type: 'freeText' };
const long = 'é'.repeat(longestText);

test.each<[Form, unknown, object | string]>([
	[single, { answer: 'approve' }, { approved: true }],
	[single, { answer: 'disapprove' }, 'missing'],
	[double, { answer: 'approve' }, { approved: true }],
	[double, { answer: 'disapprove' }, { approved: false }],
	[double, { answer: 'true' }, 'missing'],
	[double, { answer: ['approve'] }, 'missing'],
	[double, undefined, 'missing'],
	[double, [{ answer: 'approve' }], 'missing'],
	[double, Object.create({ answer: 'approve' }), 'missing'],
	[choice, { answer: '0' }, { choice: 'A' }],
	[choice, { answer: '2' }, { choice: '0' }],
	[choice, { answer: '3' }, 'missing'],
	[choice, { answer: '-1' }, 'missing'],
	[choice, { answer: ' 0' }, 'missing'],
	[choice, { answer: 'A' }, 'missing'],
	[choice, { answer: '__proto__' }, 'missing'],
	[choice, { answer: 0 }, 'missing'],
	[freeText, { answer: 'x' }, { text: 'x' }],
	[freeText, { answer: ' a\r\nb\rc\n ' }, { text: 'a\nb\nc' }],
	[freeText, { answer: '' }, 'missing'],
	[freeText, { answer: ' \r\n\t' }, 'missing'],
	[freeText, { answer: '\u200b\u2060\ufeff\u00ad\u0000' }, 'missing'],
	[freeText, { answer: long }, { text: long }],
	[freeText, { answer: `  ${long}\r\n` }, { text: long }],
	[freeText, { answer: `${long}x` }, 'tooLong'],
])('%j answered with %j is %j', (form, body, expected) => {
	expect(readReply(form, body)).toEqual(expected);
});

test('anything that is posted is an answer that the page offers, or none', () => {
	const body = fc.oneof(json, fc.record({ answer: fc.oneof(json, fc.string()) }));
	fc.assert(
		fc.property(fc.constantFrom(single, double, choice, freeText), body, (form, posted) => {
			const answer = readReply(form, posted);
			if (typeof answer === 'string') expect(['missing', 'tooLong']).toContain(answer);
			else if (form.type === 'approval') expect([true, false]).toContain(answer.approved);
			else if (form.type === 'choice') expect(form.labels).toContain(answer.choice);
			else expect(answer.text).toMatch(/\S/);
		}),
		{ numRuns: 100 },
	);
});
