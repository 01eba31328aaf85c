import fc from 'fast-check';

import { chooseLanguage, phrases } from '../../../nodes/MessagingGateway/question/languages';

test.each<[unknown, string]>([
	[undefined, 'en'],
	['', 'en'],
	['*', 'en'],
	['en', 'en'],
	['en-GB,en;q=0.9', 'en'],
	['pt', 'pt-BR'],
	['pt-PT', 'pt-BR'],
	['PT-br', 'pt-BR'],
	['es-MX, es;q=0.9, en;q=0.8', 'es'],
	['de, pt;q=0.4, es;q=0.6', 'es'],
	['de;q=1, en;q=0, pt;q=0.1', 'pt-BR'],
	['pt;q=0, de', 'en'],
	[' es ; q=0.5 , pt ; q=0.7 ', 'pt-BR'],
	['pt;q=x', 'pt-BR'],
	['spanish', 'en'],
	[['pt'], 'pt-BR'],
	['__proto__, constructor', 'en'],
])('%j is answered in %s', (asked, language) => {
	expect(chooseLanguage(asked)).toBe(language);
});

test('any header is answered in a language that there is', () => {
	fc.assert(
		fc.property(fc.anything({ withNullPrototype: false }), (asked) => {
			const header = typeof asked === 'object' ? String(JSON.stringify(asked)) : asked;
			expect(Object.keys(phrases)).toContain(chooseLanguage(header));
		}),
	);
});
