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

/** Each text of the page, in English, Spanish and Portuguese. */
const texts: Record<string, [en: string, es: string, pt: string]> = {
	title: ['Please answer', 'Responda, por favor', 'Responda, por favor'],
	'buttons.approve': ['Approve', 'Aprobar', 'Aprovar'],
	'buttons.disapprove': ['Decline', 'Rechazar', 'Recusar'],
	field: ['Your answer', 'Su respuesta', 'Sua resposta'],
	send: ['Send', 'Enviar', 'Enviar'],
	missing: [
		'No answer has been recorded. Go back and choose an answer, or enter one of at most 5,000 characters.',
		'No se registró ninguna respuesta. Vuelva atrás y elija una respuesta, o escriba una de 5.000 caracteres como máximo.',
		'Nenhuma resposta foi registrada. Volte e escolha uma resposta, ou escreva uma com no máximo 5.000 caracteres.',
	],
	recorded: [
		'Answer recorded. You can close this page.',
		'Respuesta registrada. Ya puede cerrar esta página.',
		'Resposta registrada. Você já pode fechar esta página.',
	],
	closed: [
		'Question already answered or closed. You can close this page.',
		'Pregunta ya respondida o cerrada. Ya puede cerrar esta página.',
		'Pergunta já respondida ou encerrada. Você já pode fechar esta página.',
	],
	expired: [
		'This question has expired. No answer has been recorded.',
		'El plazo para responder ya venció. No se registró ninguna respuesta.',
		'O prazo para responder já terminou. Nenhuma resposta foi registrada.',
	],
	unavailable: [
		'No answer has been recorded. Please open the link again later.',
		'No se registró ninguna respuesta. Vuelva a abrir el enlace más tarde.',
		'Nenhuma resposta foi registrada. Abra o link novamente mais tarde.',
	],
};

/** The pages without a question: their text is a heading and one sentence. */
const notices = ['missing', 'recorded', 'closed', 'expired', 'unavailable'];

/** Returns the texts within a text, list or object, by their paths. */
const textsIn = (value: unknown, path: string[] = []): Array<[string, unknown]> =>
	typeof value === 'object'
		? Object.entries(value!).flatMap(([key, each]) => textsIn(each, [...path, key]))
		: [[path.join('.'), value]];

test.each(['en', 'es', 'pt-BR'].map((tag, at) => [tag, at] as const))(
	'%s has each text, and no other',
	(tag, at) => {
		const expected = Object.entries(texts).map(([key, of]) => [key, of[at]]);
		expect(Object.fromEntries(textsIn(phrases[tag]))).toEqual(Object.fromEntries(expected));
		for (const name of notices) expect(texts[name]?.[at]).toMatch(/^[^.]+\. [A-Z].+\.$/);
		expect(texts.missing?.[at]?.replace(/\D/g, '')).toBe(String(maxAnswerLength));
	},
);

test('there is no other language', () => {
	expect(Object.keys(phrases)).toEqual(['en', 'es', 'pt-BR']);
});
