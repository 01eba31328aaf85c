/** The service's operational messages, exact strings of interface §7. */
export const serviceTexts = {
	invalidToken: 'Token inválido.',
	campaignNotFound: 'Campanha não encontrada.',
	deletionNotPermitted: 'Exclusão não permitida.',
	instanceDisconnected: 'Instância desconectada.',
	internalError: 'Erro interno do servidor.',
} as const;
