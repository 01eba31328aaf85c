/**
 * All that the node does, one row each. Tests, the fuzzers and the generated pages read this table, so
 * that a new operation is tested like the others. The requests and answers are the examples of the OpenAPI
 * document, never what the code under test makes of them.
 */
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../nodes/send/operation';
import { findOperation, resources } from '../../nodes/MessagingGateway/operations';
import type { OperationId, Sandbox } from '../sandbox';
import { OPERATIONS, type Operation as Endpoint } from '../sandbox/document';
import { SEEDS, seededCampaigns } from '../sandbox/seeds';

interface Row extends Does {
	/** The request on the wire, and what comes out of the node. Ids and times are examples. */
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
	/** The examples on its page, with an item of a person; the usual one first. Parameters as in the form. */
	examples: INodeParameters[];
	/** Prepares the account for an example. */
	before?(sandbox: Sandbox): void;
}

export const to = '+5511912345678';
/** The same on the wire. */
export const digits = to.slice(1);
const ofItem = '={{ $json.to }}';

/** Base64 of 'OggS' and a zero byte. */
export const audioBase64 = 'T2dnUwA=';

/** The file of an item that has no other, for what sends one. */
export const audioFile = { data: { mimeType: 'audio/ogg', data: audioBase64 } };

const { chatApp, sms } = SEEDS.campaigns;
const finished = chatApp.finished;
const failed = seededCampaigns('sms')[0]!.messages.at(-1)!;
const url = 'https://example.com/notifications';
const statistics = [
	{ total: 6, queued: 0, sent: 1, delivered: 4, errors: 1, deliveryRate: 66.67 },
	{ total: 3, queued: 3, sent: 0, delivered: 0, errors: 0, deliveryRate: 0 },
	{ total: 0, queued: 0, sent: 0, delivered: 0, errors: 0, deliveryRate: 0 },
];
/** As outputs have the sandbox's campaigns: `campaignName`, and numbers with +. */
export const shownCampaigns = (channel: 'chatApp' | 'sms') =>
	seededCampaigns(channel).map(({ campaignId, nome, messages }, index) => ({
		...{ campaignId, campaignName: nome, statistics: statistics[index] },
		messages: messages.map((message) => ({ ...message, to: `+${message.to}` })),
	}));
const listed = (channel: 'chatApp' | 'sms') =>
	shownCampaigns(channel).map(({ campaignId, campaignName, statistics }) => ({
		...{ campaignId, campaignName, statistics },
	}));

interface ByHand extends Partial<Omit<Row, 'resource' | 'operation'>> {
	/** Resource and operation. */
	does?: string;
	/** The endpoint, where the node makes something else of one of another name. */
	endpoint?: OperationId;
}

/**
 * The facts that the document and the form do not have: the operation, where it is not named as its
 * endpoint; what an item needs besides the form's placeholders; an output that is not the documented answer.
 */
const byHand = {
	listApiKeys: {
		does: 'apiKey.getAll',
		output: SEEDS.apiKeys.map(({ key, ...record }) => ({
			...record,
			...(key === SEEDS.apiKey && { last_used_at: '2030-12-31T12:00:00.000Z' }), // just now
			masked_key: '•'.repeat(key.length - 4) + key.slice(-4),
		})),
		isList: true,
		examples: [{ limit: 1, filters: { status: 'active' } }],
	},
	sendMedia: {
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
		examples: [
			{
				to: '={{ $("Items").item.json.phone }}',
				binaryPropertyName: 'data',
				scheduleAt: '2030-12-31T09:30:00',
			},
		],
	},
	sendSms: {
		parameters: { text: 'Hello' },
		examples: [
			{
				to: '={{ $json.phone }}',
				text: '=Hello {{ $json.name }}',
				scheduleAt: '2030-12-31T09:30:00',
			},
			{
				to: '={{ $json.phone }}',
				text: '“Hello” – your order is on its way: it will be with you tomorrow morning…',
				options: { characters: 'plain' },
			},
		],
	},
	getSmsCampaign: {
		does: 'campaign.get',
		parameters: { channel: 'sms', campaignId: sms.finished },
		query: { campaignId: sms.finished },
		output: shownCampaigns('sms')[0]!,
		isList: true,
		examples: [{ channel: 'sms', campaignId: sms.finished }],
	},
	getChatAppCampaign: {
		does: 'campaign.get',
		parameters: { channel: 'chatApp', campaignId: finished },
		query: { campaignId: finished },
		output: shownCampaigns('chatApp')[0]!,
		isList: true,
		examples: [{ channel: 'chatApp', campaignId: finished, output: 'messages' }],
	},
	getConnectionState: {
		output: {
			connected: true,
			answer: { instance: { instanceName: SEEDS.instanceName, state: 'open' } },
		},
	},
	setWebhook: { does: 'webhook.set', examples: [{ enable: true, url }] },
	getWebhook: {
		does: 'webhook.get',
		before: (sandbox) => (sandbox.webhook = { url, enabled: true }),
	},
	revokeApiKey: {
		does: 'apiKey.revoke',
		parameters: { keyId: { __rl: true, mode: 'id', value: 'key-sms' } },
		output: { deleted: true, id: 'key-sms', answer: { success: true, message: 'Chave revogada.' } },
		examples: [{ keyId: { __rl: true, mode: 'id', value: 'key-staging' } }],
	},
	deleteCampaign: {
		does: 'campaign.delete',
		parameters: { campaignId: finished },
		output: {
			deleted: true,
			campaignId: finished,
			answer: { success: true, message: 'Campanha excluída.' },
		},
		examples: [{ campaignId: finished }],
	},
	logOutInstance: {
		does: 'instance.logOut',
		output: {
			loggedOut: true,
			instance: 'my-instance',
			answer: { success: true, message: 'Instância desconectada com sucesso.' },
		},
		examples: [{ instance: SEEDS.instanceName }],
	},
	listSmsCampaigns: {
		endpoint: 'getSmsCampaign',
		does: 'campaign.getAll',
		parameters: { channel: 'sms' },
		output: listed('sms'),
		isList: true,
		examples: [{ channel: 'sms' }],
	},
	listChatAppCampaigns: {
		endpoint: 'getChatAppCampaign',
		does: 'campaign.getAll',
		parameters: { channel: 'chatApp' },
		output: listed('chatApp'),
		isList: true,
		examples: [{ channel: 'chatApp', includeMessages: true }],
	},
	getSmsStatus: {
		endpoint: 'getSmsCampaign',
		does: 'message.getStatus',
		parameters: { messageId: 'm1' },
		output: {
			found: false,
			hint: "Check 'Channel', the message ID or number, and 'Campaign ID' if it is set. A message that was just sent may not be listed yet.",
		},
		examples: [
			{ messageId: failed.messageId, options: { campaignId: sms.finished } },
			{ findBy: 'to', to: failed.to },
			{ channel: 'chatApp', messageId: 'no such message' },
		],
	},
} satisfies Partial<Record<OperationId, ByHand>> & Record<string, ByHand>;

export type ActionId = OperationId | keyof typeof byHand;

export function rowOf(id: ActionId): Row {
	const { endpoint: from = id, does, ...own } = (byHand as Record<string, ByHand>)[id] ?? {};
	const endpoint = OPERATIONS.find((each) => each.id === from)!;
	const namesake = resources.find(({ value }) => findOperation(value, id))?.value;
	const [resource = namesake, operation = id] = does?.split('.') ?? [];
	if (!resource)
		throw new Error(`No operation is named ${id}: give it a row in tools/shared/operations.ts`);
	const { fields } = findOperation(resource, operation)!;
	const parameters = { ...leastOf(fields), ...own.parameters };
	const partOf = (name: string) => endpoint.parameters.find((each) => each.name === name)!.example!;
	return {
		method: endpoint.method.toUpperCase(),
		path: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => partOf(name)),
		body: endpoint.request as IDataObject | undefined,
		output: expectedOutputOf(endpoint),
		examples: [{ ...parameters, ...('to' in parameters && { to: '={{ $json.phone }}' }) }],
		...own,
		resource,
		operation,
		parameters,
	};
}

/** Returns the least that a person has to fill in, as the form suggests it: `e.g. https://…`. */
function leastOf(fields: INodeProperties[]): INodeParameters {
	const defaults = Object.fromEntries(fields.map((field) => [field.name, field.default]));
	const asked = fields.filter(
		({ name, type, required, displayOptions: { show = {} } = {} }) =>
			required &&
			type === 'string' &&
			defaults[name] === '' &&
			Object.entries(show).every(([by, values]) => values?.includes(defaults[by] as string)),
	);
	return Object.fromEntries(
		asked.map(({ name, placeholder = '' }) => [
			name,
			name === 'to' ? ofItem : placeholder.replace('e.g. ', ''),
		]),
	);
}

/** The documented answer; that of a send in the one shape of all sends. */
function expectedOutputOf({ answer, isSend, usesInstance }: Endpoint): IDataObject {
	const shown = [answer].flat()[0] as IDataObject;
	if (!isSend) return shown;
	const { messageId, message_id: audioId, status, statusmessage, ...more } = shown;
	return {
		...{ messageId: messageId ?? audioId, status: statusmessage ?? status, to },
		...(statusmessage !== undefined && { statusCode: status }),
		...{ channel: usesInstance ? 'chatApp' : 'sms', sentAt: '2030-12-31T07:00:00-05:00' },
		...(!usesInstance && { segments: 1, encoding: 'GSM-7' }),
		...more,
	};
}

const endpointIds = OPERATIONS.map(({ id }) => id);

/** All that does not wait. */
export const actionIds = [...new Set([...Object.keys(byHand), ...endpointIds])] as ActionId[];

const takesAway = (id: ActionId) => Number(rowOf(id).method === 'DELETE');

/** The endpoints. Those that take something away come last, so that all can be run one after the other. */
export const operationIds = endpointIds.toSorted((a, b) => takesAway(a) - takesAway(b));

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

/** The operations in the table, as the examples of their pages need them. */
export const rows: Does[] = [...actionIds.map(rowOf), question];

/** The node's parameters for the least that an item needs. */
export const parametersFor = (id: ActionId): INodeParameters => {
	const { resource, operation, parameters } = rowOf(id);
	return { resource, operation, ...parameters };
};

export const operationOf = ({ resource, operation }: Does): Operation =>
	findOperation(resource, operation)!;

const isSend = ({ idempotent, fields }: Operation): boolean =>
	!idempotent && fields.some(({ name }) => name === 'to');

/** The operations that reach a person. Each of these keeps all rules of sending. */
export const sends = operationIds.filter((id) => isSend(operationOf(rowOf(id))));

/** The operations that are not carried out again when they may have been. */
export const once = operationIds.filter((id) => !operationOf(rowOf(id)).idempotent);

/** The operations that work once only: a second request finds nothing. */
export const removals = once.filter((id) => !sends.includes(id));

export const isChatApp = (id: ActionId): boolean => rowOf(id).path.startsWith('/v2/');

/** The parameters of an operation's row, for an item without n8n's expressions. */
export const neededBy = (operation: Operation): IDataObject => {
	const row = rows.find((each) => operationOf(each) === operation);
	const entries = Object.entries(row?.parameters ?? {});
	return Object.fromEntries(entries.map(([name, value]) => [name, value === ofItem ? to : value]));
};
