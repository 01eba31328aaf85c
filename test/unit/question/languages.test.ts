import { chooseLanguage } from '../../../nodes/question/languages';

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
