import { maxAnswerLength } from './question';

const en = {
	title: 'Your answer, please',
	/** The labels of an approval, by their values. In English, they are the defaults of the form. */
	buttons: { approve: 'Approve', disapprove: 'Decline' } as Record<string, string>,
	field: 'Your answer',
	send: 'Send',
	missing: `Please go back and choose an answer, or enter one of at most ${maxAnswerLength} characters.`,
	recorded: 'Thank you. Your answer has been recorded. You can close this page.',
	/** The question was answered before, or never asked. */
	closed: 'This question was already answered, or it is closed.',
	expired: 'This question has expired. No answer has been recorded.',
	unavailable: 'No answer has been recorded. Please open the link again later.',
};

export type Phrases = typeof en;

/** The texts by the tag of their language; the first one is for everybody else. */
export const phrases: Record<string, Phrases> = {
	en,
	es: {
		title: 'Su respuesta, por favor',
		buttons: { approve: 'Aprobar', disapprove: 'Rechazar' },
		field: 'Su respuesta',
		send: 'Enviar',
		missing: `Vuelva atrás y elija una respuesta, o escriba una de ${maxAnswerLength} caracteres como máximo.`,
		recorded: 'Gracias. Su respuesta quedó registrada. Ya puede cerrar esta página.',
		closed: 'Esta pregunta ya fue respondida o está cerrada.',
		expired: 'El plazo para responder terminó. No se registró ninguna respuesta.',
		unavailable: 'No se registró ninguna respuesta. Vuelva a abrir el enlace más tarde.',
	},
	'pt-BR': {
		title: 'Sua resposta, por favor',
		buttons: { approve: 'Aprovar', disapprove: 'Recusar' },
		field: 'Sua resposta',
		send: 'Enviar',
		missing: `Volte e escolha uma resposta, ou escreva uma de no máximo ${maxAnswerLength} caracteres.`,
		recorded: 'Obrigado. Sua resposta foi registrada. Você já pode fechar esta página.',
		closed: 'Esta pergunta já foi respondida ou está encerrada.',
		expired: 'O prazo para responder terminou. Nenhuma resposta foi registrada.',
		unavailable: 'Nenhuma resposta foi registrada. Abra o link novamente mais tarde.',
	},
};

/** Returns the tag of the first language in a browser's list that has texts. Browsers sort theirs. */
export function chooseLanguage(acceptLanguage: unknown): string {
	const wanted = String(acceptLanguage ?? '')
		.split(',', 20)
		.map(languageOf);
	const tags = Object.keys(phrases);
	const known = wanted.flatMap((language) => tags.filter((tag) => languageOf(tag) === language));
	return known[0] ?? tags[0]!;
}

/** `pt-BR;q=0.9` → `pt`. */
const languageOf = (tag: string): string => tag.toLowerCase().split(/[-;]/, 1)[0]!.trim();
