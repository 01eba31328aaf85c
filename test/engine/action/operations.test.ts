/** Each operation on the wire, held against the OpenAPI document, and what comes out of the node. */
import type { IDataObject } from 'n8n-workflow';
import { SEEDS, type OperationId } from '../../../tools/sandbox';
import { seededCampaigns } from '../../../tools/sandbox/seeds';
import { audioBase64, operationIds, to, useGateway } from './support';

const gateway = useGateway();

const { finished } = SEEDS.campaigns.chatApp;
const statistics = { total: 6, queued: 0, sent: 1, delivered: 4, errors: 1, deliveryRate: 66.67 };
const messageId = expect.stringMatching(/^[\da-f-]{36}$/);

interface Wire {
	method: string;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	output: IDataObject | IDataObject[];
}

const wire: Record<OperationId, Wire> = {
	listApiKeys: {
		method: 'GET',
		path: '/v1/apikeys',
		output: SEEDS.apiKeys.map(({ key, ...record }) => ({
			...record,
			last_used_at: expect.any(String),
			masked_key: '•'.repeat(key.length - 4) + key.slice(-4),
		})),
	},
	revokeApiKey: {
		method: 'DELETE',
		path: '/v1/apikeys/key-sms',
		output: { deleted: true, id: 'key-sms', answer: { success: true, message: 'Chave revogada.' } },
	},
	sendMedia: {
		method: 'POST',
		path: '/v2/chatapp/message/sendMedia',
		body: {
			messagetype: 'media',
			message: {
				to,
				mediatype: 'image',
				mediaurl: 'https://example.com/photo.jpg',
				mimetype: 'image/jpeg',
				msg: '',
				scheduled_at: '',
				status: 'pending',
			},
		},
		output: { messageId, status: 'send', channel: 'chatApp', to },
	},
	sendAudio: {
		method: 'POST',
		path: '/v2/chatapp/message/sendAudio',
		body: { to, mimetype: 'audio/ogg', chatapp_mode: 'private', audio_base64: audioBase64 },
		output: { messageId, status: 'pending', channel: 'chatApp', to },
	},
	sendSms: {
		method: 'POST',
		path: '/v1/sms/enviar',
		body: { to, msg: 'Hello', tiposms: '1' },
		output: {
			messageId,
			status: 'pending',
			channel: 'sms',
			to,
			segments: 1,
			encoding: 'GSM-7',
		},
	},
	deleteCampaign: {
		method: 'DELETE',
		path: '/v2/chatapp/campaign/excluir',
		body: { campanhaId: finished },
		output: {
			deleted: true,
			campaignId: finished,
			answer: { success: true, message: 'Campanha excluída.' },
		},
	},
	getChatAppCampaign: {
		method: 'GET',
		path: '/v2/chatapp/campaign/messages',
		query: { campaignId: finished },
		output: { ...seededCampaigns('chatApp')[0], statistics },
	},
	getSmsCampaign: {
		method: 'GET',
		path: '/v1/sms/campaign/messages',
		query: { campaignId: SEEDS.campaigns.sms.finished },
		output: { ...seededCampaigns('sms')[0], statistics },
	},
	logOutInstance: {
		method: 'DELETE',
		path: '/v2/chatapp/instance/logout/my-instance',
		output: {
			loggedOut: true,
			instance: 'my-instance',
			answer: { success: true, message: 'Instância desconectada com sucesso.' },
		},
	},
	getConnectionState: {
		method: 'GET',
		path: '/v2/chatapp/instance/connectionState',
		output: {
			connected: true,
			answer: { instance: { instanceName: SEEDS.instanceName, state: 'open' } },
		},
	},
	setWebhook: {
		method: 'POST',
		path: '/webhook/',
		body: { enable: true, url: 'https://example.com/hook' },
		output: { success: true, message: 'Webhook atualizado com sucesso.' },
	},
	getWebhook: { method: 'GET', path: '/webhook/', output: { url: null, enabled: null } },
};

/** What the HTTP library adds to any request. */
const transport = /^(host|connection|user-agent|accept|accept-encoding|content-length)$/;

describe('each operation', () => {
	it.each(operationIds)('%s', async (id) => {
		const { output, method, path, query = {}, body } = wire[id];
		const { outputs, error } = await gateway.run(id);

		expect(error).toBeUndefined();
		const items = [output].flat().map((json) => ({ json, pairedItem: { item: 0 } }));
		expect(outputs).toEqual([items]);

		const request = gateway.onlyRequest();
		expect(request).toMatchObject({ operationId: id, valid: true, status: 200 });
		const headers = Object.entries(request.headers).filter(([name]) => !transport.test(name));
		expect({
			method: request.method,
			path: request.path,
			query: request.query,
			headers: Object.fromEntries(headers),
			body: request.body,
		}).toEqual({
			method,
			path,
			query,
			headers: {
				'x-api-key': SEEDS.apiKey,
				...(path.startsWith('/v2/') && { 'x-instance-token': SEEDS.instanceToken }),
				...(body && { 'content-type': 'application/json' }),
			},
			body,
		});
	});
});
