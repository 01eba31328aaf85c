import { asSentence } from '../../../nodes/shared/sentence';

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
