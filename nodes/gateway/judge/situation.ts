import type { NotAccepted, Reason } from '../outcome';

/** The service's operational messages, exact strings of interface §7. */
export const serviceTexts = {
	invalidToken: 'Token inválido.',
	campaignNotFound: 'Campanha não encontrada.',
	deletionNotPermitted: 'Exclusão não permitida.',
	instanceDisconnected: 'Instância desconectada.',
	internalError: 'Erro interno do servidor.',
} as const;

/** Why a request was not accepted, as precisely as a person can act on it. */
export type Situation =
	| Reason['kind']
	| keyof typeof serviceTexts
	| 'notAuthorized'
	| 'notFound'
	| 'forbidden'
	| 'proxyLogin';

/** The texts of interface §7 say more than the HTTP status. */
export function situationOf({ kind, reason }: NotAccepted): Situation {
	const known = Object.entries(serviceTexts).find(([, text]) => text === reason.text)?.[0];
	if (known && kind === 'refused') return known as Situation;
	if (reason.kind !== 'rejected') return reason.kind;
	if (reason.status === 404) return 'notFound';
	if (reason.status === 407) return 'proxyLogin';
	if (reason.status === 403 && !reason.text) return 'forbidden';
	return isNotAuthorized(reason) ? 'notAuthorized' : 'rejected';
}

/** Whether a key or token was rejected. */
export const isNotAuthorized = ({ status, text }: Reason): boolean =>
	status === 401 || status === 403 || text === serviceTexts.invalidToken;
