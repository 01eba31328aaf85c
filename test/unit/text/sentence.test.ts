import { asSentence, withHint } from '../../../nodes/text/quote';

test.each([
	['The key was rejected', 'The key was rejected.'],
	['Publish it again.', 'Publish it again.'],
	['It says: "Sem saldo."', 'It says: "Sem saldo."'],
	['It says: "Sem saldo"', 'It says: "Sem saldo".'],
	['Who? (HTTP 401)', 'Who? (HTTP 401).'],
	['Cut short…', 'Cut short…'],
])('%s → %s', (text, sentence) => {
	expect(asSentence(text)).toBe(sentence);
});

test('an error and its hint are one text, also where there is no hint', () => {
	expect(withHint({ message: 'Not sent', description: 'Check it.' })).toBe('Not sent. Check it.');
	expect(withHint({ message: 'Not sent' })).toBe('Not sent.');
	expect(withHint({ message: 'Not sent', description: null })).toBe('Not sent.');
});
