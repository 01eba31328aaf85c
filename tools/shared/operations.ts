/**
 * All that the node does, one row each. Tests, the fuzzers and the generated pages read this table, so
 * that a new operation is tested like the others.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Operation } from '../../nodes/MessagingGateway/operation';
import { findOperation } from '../../nodes/MessagingGateway/operations';
import type { OperationId, Sandbox } from '../sandbox';
import { SEEDS, seededCampaigns } from '../sandbox/seeds';

interface Row extends Does {
	/** What comes out of it, and the request on the wire. Ids and times are examples. */
	method: string;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	output: IDataObject | IDataObject[];
	/** Its success may be no item at all. */
	isList?: true;
}

interface Does {
	resource: string;
	operation: string;
	/** The least that an item with a number needs. */
	parameters?: INodeParameters;
	/** What its page shows, with an item of a person; the usual one first. Parameters as in the form. */
	examples: INodeParameters[];
	/** What the account is like before an example. */
	before?(sandbox: Sandbox): void;
}

export const to = '5511912345678';
const ofItem = '={{ $json.to }}';

/** Base64 of 'OggS' and a zero byte. */
export const audioBase64 = 'T2dnUwA=';

const sentAt = '2030-12-31T07:00:00-05:00';
const messageId = '7d2e8f0b-58d4-4c6b-9a51-000000000001';
const { chatApp, sms } = SEEDS.campaigns;
const finished = chatApp.finished;
const failed = seededCampaigns('sms')[0]!.messages.at(-1)!;
const url = 'https://example.com/notifications';
const statistics = [
	{ total: 6, queued: 0, sent: 1, delivered: 4, errors: 1, deliveryRate: 66.67 },
	{ total: 3, queued: 3, sent: 0, delivered: 0, errors: 0, deliveryRate: 0 },
	{ total: 0, queued: 0, sent: 0, delivered: 0, errors: 0, deliveryRate: 0 },
];
const listed = (channel: 'chatApp' | 'sms') =>
	seededCampaigns(channel).map(({ campaignId, nome }, index) => ({
		...{ campaignId, nome, statistics: statistics[index] },
	}));

/**
 * One for each endpoint of the interface. Those that take something away come last, so that all can be
 * run one after the other.
 */
const endpoints = {
	listApiKeys: {
		resource: 'apiKey',
		operation: 'getAll',
		method: 'GET',
		path: '/v1/apikeys',
		output: SEEDS.apiKeys.map(({ key, ...record }) => ({
			...record,
			...(key === SEEDS.apiKey && { last_used_at: '2030-12-31T12:00:00.000Z' }), // just now
			masked_key: '•'.repeat(key.length - 4) + key.slice(-4),
		})),
		isList: true,
		examples: [{ limit: 1, filters: { status: 'active' } }],
	},
	sendMedia: {
		resource: 'message',
		operation: 'sendMedia',
		parameters: { to: ofItem, mediaUrl: 'https://example.com/photo.jpg' },
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
		output: {
			...{ messageId, status: 'send', channel: 'chatApp', to, sentAt },
			...{ success: true, message: 'Mensagem aceita.' },
		},
		examples: [
			{
				to: '={{ $json.phone }}',
				mediaUrl: 'https://example.com/photo.jpg',
				caption: 'Your receipt',
			},
			{
				to: '={{ $json.phone }}',
				mediaUrl: 'https://example.com/receipt.pdf',
				mediaType: 'document',
			},
			{
				to: '={{ $("Items").item.json.phone }}',
				mediaSource: 'binary',
				binaryPropertyName: 'data',
				caption: 'A greeting',
			},
		],
	},
	sendAudio: {
		resource: 'message',
		operation: 'sendAudio',
		parameters: {
			to: ofItem,
			audioSource: 'base64',
			audioBase64: `data:audio/ogg;base64,${audioBase64}`,
		},
		method: 'POST',
		path: '/v2/chatapp/message/sendAudio',
		body: { to, mimetype: 'audio/ogg', chatapp_mode: 'private', audio_base64: audioBase64 },
		output: { messageId, status: 'pending', channel: 'chatApp', to, sentAt, taxa: 0 },
		examples: [
			{
				to: '={{ $("Items").item.json.phone }}',
				audioSource: 'binary',
				binaryPropertyName: 'data',
				scheduleAt: '2030-12-31T09:30:00',
			},
		],
	},
	sendSms: {
		resource: 'message',
		operation: 'sendSms',
		parameters: { to: ofItem, text: 'Hello' },
		method: 'POST',
		path: '/v1/sms/enviar',
		body: { to, msg: 'Hello', tiposms: '1' },
		output: {
			...{ messageId, status: 'pending', channel: 'sms', to, sentAt },
			...{ segments: 1, encoding: 'GSM-7', success: true, message: 'SMS aceito.' },
		},
		examples: [
			{
				to: '={{ $json.phone }}',
				text: '=Hello {{ $json.name }}',
				scheduleAt: '2030-12-31T09:30:00',
			},
			{
				to: '={{ $json.phone }}',
				text: '“Hello” – your order is on its way…',
				options: { characters: 'plain' },
			},
		],
	},
	getSmsCampaign: {
		resource: 'campaign',
		operation: 'get',
		parameters: { channel: 'sms', campaignId: sms.finished },
		method: 'GET',
		path: '/v1/sms/campaign/messages',
		query: { campaignId: sms.finished },
		output: { ...seededCampaigns('sms')[0], statistics: statistics[0] },
		isList: true,
		examples: [{ channel: 'sms', campaignId: sms.finished }],
	},
	getChatAppCampaign: {
		resource: 'campaign',
		operation: 'get',
		parameters: { channel: 'chatApp', campaignId: finished },
		method: 'GET',
		path: '/v2/chatapp/campaign/messages',
		query: { campaignId: finished },
		output: { ...seededCampaigns('chatApp')[0], statistics: statistics[0] },
		isList: true,
		examples: [{ channel: 'chatApp', campaignId: finished, output: 'messages' }],
	},
	getConnectionState: {
		resource: 'instance',
		operation: 'getConnectionState',
		method: 'GET',
		path: '/v2/chatapp/instance/connectionState',
		output: {
			connected: true,
			answer: { instance: { instanceName: SEEDS.instanceName, state: 'open' } },
		},
		examples: [{}],
	},
	setWebhook: {
		resource: 'webhook',
		operation: 'set',
		parameters: { url },
		method: 'POST',
		path: '/webhook/',
		body: { enable: true, url },
		output: { success: true, message: 'Webhook atualizado com sucesso.' },
		examples: [{ enable: true, url }],
	},
	getWebhook: {
		resource: 'webhook',
		operation: 'get',
		method: 'GET',
		path: '/webhook/',
		output: { url: null, enabled: null },
		before: (sandbox) => (sandbox.webhook = { url, enabled: true }),
		examples: [{}],
	},
	revokeApiKey: {
		resource: 'apiKey',
		operation: 'revoke',
		parameters: { keyId: { __rl: true, mode: 'id', value: 'key-sms' } },
		method: 'DELETE',
		path: '/v1/apikeys/key-sms',
		output: { deleted: true, id: 'key-sms', answer: { success: true, message: 'Chave revogada.' } },
		examples: [{ keyId: { __rl: true, mode: 'id', value: 'key-staging' } }],
	},
	deleteCampaign: {
		resource: 'campaign',
		operation: 'delete',
		parameters: { campaignId: finished },
		method: 'DELETE',
		path: '/v2/chatapp/campaign/excluir',
		body: { campanhaId: finished },
		output: {
			deleted: true,
			campaignId: finished,
			answer: { success: true, message: 'Campanha excluída.' },
		},
		examples: [{ campaignId: finished }],
	},
	logOutInstance: {
		resource: 'instance',
		operation: 'logOut',
		parameters: { instance: 'my-instance' },
		method: 'DELETE',
		path: '/v2/chatapp/instance/logout/my-instance',
		output: {
			loggedOut: true,
			instance: 'my-instance',
			answer: { success: true, message: 'Instância desconectada com sucesso.' },
		},
		examples: [{ instance: SEEDS.instanceName }],
	},
} satisfies Record<OperationId, Row>;

/** What the node makes of the same endpoints otherwise. */
const listings = {
	listSmsCampaigns: {
		resource: 'campaign',
		operation: 'getAll',
		parameters: { channel: 'sms' },
		method: 'GET',
		path: '/v1/sms/campaign/messages',
		output: listed('sms'),
		isList: true,
		examples: [{ channel: 'sms' }],
	},
	listChatAppCampaigns: {
		resource: 'campaign',
		operation: 'getAll',
		parameters: { channel: 'chatApp' },
		method: 'GET',
		path: '/v2/chatapp/campaign/messages',
		output: listed('chatApp'),
		isList: true,
		examples: [{ channel: 'chatApp', includeMessages: true }],
	},
	getSmsStatus: {
		resource: 'message',
		operation: 'getStatus',
		parameters: { messageId: 'm1' },
		method: 'GET',
		path: '/v1/sms/campaign/messages',
		output: { found: false },
		examples: [
			{ messageId: failed.messageId, options: { campaignId: sms.finished } },
			{ findBy: 'to', to: failed.to },
			{ channel: 'chatApp', messageId: 'no such message' },
		],
	},
} satisfies Record<string, Row>;

/** Waits for a person's answer, which `approve` is. */
const question: Does = {
	resource: 'message',
	operation: 'sendAndWait',
	parameters: { to: ofItem, message: 'Sim ou não?', responseType: 'approval' },
	examples: [
		{
			to: '={{ $json.phone }}',
			message: '=May we deliver tomorrow, {{ $json.name }}?',
			responseType: 'approval',
			approvalOptions: {
				values: { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' },
			},
		},
	],
};

/** All that does not wait. */
export const actions = { ...endpoints, ...listings };
export type ActionId = keyof typeof actions;
export const actionIds = Object.keys(actions) as ActionId[];
export const operationIds = Object.keys(endpoints) as OperationId[];

/** Of each operation in the table, as the examples of its page need it. */
export const rows: Does[] = [...Object.values(actions), question];

export const rowOf = (id: ActionId): Row => actions[id];

/** The node's parameters for the least that an item needs. */
export const parametersFor = (id: ActionId): INodeParameters => {
	const { resource, operation, parameters } = rowOf(id);
	return { resource, operation, ...parameters };
};

export const operationOf = ({ resource, operation }: Does): Operation =>
	findOperation(resource, operation)!;

const isSend = ({ idempotent, fields }: Operation): boolean =>
	!idempotent && fields.some(({ name }) => name === 'to');

/** What reaches a person. Each of these keeps all rules of sending. */
export const sends = operationIds.filter((id) => isSend(operationOf(endpoints[id])));

/** What is neither sent nor carried out again when it may have been. */
export const once = operationIds.filter((id) => !operationOf(endpoints[id]).idempotent);

/** What works once only: a second request finds nothing. */
export const removals = once.filter((id) => !sends.includes(id));

export const isChatApp = (id: ActionId): boolean => rowOf(id).path.startsWith('/v2/');

/** The parameters of an operation's row, for an item without n8n's expressions. */
export const neededBy = (operation: Operation): IDataObject => {
	const row = rows.find((each) => operationOf(each) === operation);
	const entries = Object.entries(row?.parameters ?? {});
	return Object.fromEntries(entries.map(([name, value]) => [name, value === ofItem ? to : value]));
};
