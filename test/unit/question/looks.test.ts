import { isReordered, isVisible, looksOf } from '../../../nodes/MessagingGateway/question/looks';

test.each(['a', '0', '.', 'é', 'e\u0301', '是', 'نعم', '👍🏽', '👨\u200d👩', '☎\ufe0f'])(
	'%j is seen',
	(text) => {
		expect(isVisible(text)).toBe(true);
	},
);

test.each([
	'',
	' ',
	'\t',
	'\u200b',
	'\u00ad',
	'\u2800',
	'\u3164',
	'\uffa0',
	'\u115f',
	'\ufe0f',
	'\u{e0041}',
])('%j is not', (text) => {
	expect(isVisible(text)).toBe(false);
});

test.each(['نعم', 'כן', '\u200fכן', '\u2068Ana\u2069', 'Yes'])(
	'%j is shown as it is written',
	(text) => {
		expect(isReordered(text)).toBe(false);
	},
);

test.each([
	['Approve', 'Аpprоve'], // Cyrillic
	['OK', 'ΟΚ'], // Greek
	['Noon', 'No\u200bon'],
	['At noon', 'At \u00a0noon '],
	['é', 'e\u0301'],
])('%j and %j look the same', (one, other) => {
	expect(one).not.toBe(other);
	expect(looksOf(one)).toBe(looksOf(other));
});

test.each([
	['Yes', 'No'],
	['A', 'a'],
	['m2', 'm²'],
	['Да', 'Нет'],
	['ναι', 'όχι'],
])('%j and %j do not', (one, other) => {
	expect(looksOf(one)).not.toBe(looksOf(other));
});
