const en = {
	title: 'Please answer',
	/** The labels of an approval, by their values. In English, they are the defaults of the form. */
	buttons: { approve: 'Approve', disapprove: 'Decline' } as Record<string, string>,
	field: 'Your answer',
	send: 'Send',
	// Pages without a question: the first sentence is the heading.
	missing:
		'No answer has been recorded. Go back and choose an answer, or enter one of at most 5,000 characters.',
	recorded: 'Answer recorded. You can close this page.',
	/** The question was answered before, or never asked. */
	closed: 'Question already answered or closed. You can close this page.',
	expired: 'This question has expired. No answer has been recorded.',
	unavailable: 'No answer has been recorded. Please open the link again later.',
};

export type Phrases = typeof en;

/** The texts by the tag of their language; the first one is for everybody else. */
export const phrases: Record<string, Phrases> = {
	en,
	es: {
		title: 'Responda, por favor',
		buttons: { approve: 'Aprobar', disapprove: 'Rechazar' },
		field: 'Su respuesta',
		send: 'Enviar',
		missing:
			'No se registró ninguna respuesta. Vuelva atrás y elija una respuesta, o escriba una de 5.000 caracteres como máximo.',
		recorded: 'Respuesta registrada. Ya puede cerrar esta página.',
		closed: 'Pregunta ya respondida o cerrada. Ya puede cerrar esta página.',
		expired: 'El plazo para responder ya venció. No se registró ninguna respuesta.',
		unavailable: 'No se registró ninguna respuesta. Vuelva a abrir el enlace más tarde.',
	},
	'pt-BR': {
		title: 'Responda, por favor',
		buttons: { approve: 'Aprovar', disapprove: 'Recusar' },
		field: 'Sua resposta',
		send: 'Enviar',
		missing:
			'Nenhuma resposta foi registrada. Volte e escolha uma resposta, ou escreva uma com no máximo 5.000 caracteres.',
		recorded: 'Resposta registrada. Você já pode fechar esta página.',
		closed: 'Pergunta já respondida ou encerrada. Você já pode fechar esta página.',
		expired: 'O prazo para responder já terminou. Nenhuma resposta foi registrada.',
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
