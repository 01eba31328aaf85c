import { chooseLanguage, phrases } from '../../../nodes/question/languages';
import { maxAnswerLength } from '../../../nodes/question/question';

test.each<[unknown, string]>([
	[undefined, 'en'],
	['*', 'en'],
	['en-GB,en;q=0.9', 'en'],
	['PT-br', 'pt-BR'],
	['pt-PT', 'pt-BR'],
	['es-MX, pt;q=0.9, en;q=0.8', 'es'],
	['de, pt ;q=0.6, es;q=0.4', 'pt-BR'],
	['spanish', 'en'],
	[['pt'], 'pt-BR'],
	['__proto__, constructor', 'en'],
])('%j is answered in %s', (asked, language) => {
	expect(chooseLanguage(asked)).toBe(language);
});

test('each text of the page, in each language', () => {
	expect(phrases).toMatchSnapshot();
	const keys = (texts: object) => Object.keys(texts).sort();
	for (const { buttons, missing, ...texts } of Object.values(phrases)) {
		expect(keys({ buttons, missing, ...texts })).toEqual(keys(phrases.en!));
		expect(keys(buttons)).toEqual(['approve', 'disapprove']);
		// The pages without a question: a heading and one sentence.
		for (const text of [missing, texts.recorded, texts.closed, texts.expired, texts.unavailable])
			expect(text).toMatch(/^[^.]+\. [A-Z].+\.$/);
		expect(missing.replace(/\D/g, '')).toBe(String(maxAnswerLength));
	}
});
