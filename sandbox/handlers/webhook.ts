import type { Handlers } from './handler';

export const webhookHandlers: Handlers<'setWebhook' | 'getWebhook'> = {
	setWebhook: ({ state, body }) => {
		Object.assign(state.webhook, { url: body.url, enabled: body.enable });
		return { success: true, message: 'Webhook atualizado com sucesso.' };
	},

	getWebhook: ({ state }) => ({ ...state.webhook }),
};
