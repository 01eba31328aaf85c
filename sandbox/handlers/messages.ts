import type { Handlers } from './handler';

/** Which fields are required is not shown (§2.2 to §2.4): a message that lacks some is accepted. */
export const messageHandlers: Handlers<'sendMedia' | 'sendAudio' | 'sendSms'> = {
	sendMedia: ({ body: { message }, accept }) => {
		const messageId = accept('chatApp', message?.to ?? '', message?.msg ?? '');
		return { success: true, message: 'Mensagem aceita.', messageId, status: 'send' };
	},

	sendAudio: ({ body, accept }) => {
		const messageId = accept('chatApp', body.to ?? '', '');
		return { status: 200, statusmessage: 'pending', message_id: messageId, taxa: 0 };
	},

	sendSms: ({ body, accept }) => {
		const messageId = accept('sms', body.to ?? '', body.msg ?? '');
		return [{ success: true, message: 'SMS aceito.', messageId, status: 'pending' }];
	},
};
