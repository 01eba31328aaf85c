import { DateTime } from 'luxon';
import type { components, operations } from '../../nodes/gateway/interface';
import { operationalError, validationError, violation } from './errors';
import { SEEDS } from './seeds';
import type { ServiceState } from './state';
import type { Campaign, Channel, Message, Names, OperationId } from './types';

type Body<Id extends OperationId> = operations[Id] extends {
	requestBody: { content: { 'application/json': infer Json } };
}
	? Json
	: undefined;

type Success<Id extends OperationId> =
	operations[Id]['responses']['2XX']['content']['application/json'];

/** In which the times of SMS are given: the examples' own. */
const SMS_ZONE = 'America/Sao_Paulo';

/** A valid request whose credential was accepted. */
export interface Call<Id extends OperationId> {
	path: operations[Id]['parameters']['path'];
	query: Record<string, string | undefined>;
	body: Body<Id>;
	names: Names;
	state: ServiceState;
	/** Adds a message to its campaign and to the ledger; returns its ID. */
	accept(channel: Channel, to: string, text: string, dueAt?: number): string;
}

/** Returns the body of a success, or throws a `Refusal`. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Success<Id>;

/**
 * What each operation of the document does. The interface does not show the success bodies of §4.2,
 * §4.6, §4.9 and §4.10, nor which fields a message requires (§2.2 to §2.4): one that lacks some is accepted.
 */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
	listApiKeys: ({ state, query, names }) => {
		const status = query[names.keyStatusParameter];
		return state.apiKeys
			.filter((apiKey) => status === undefined || apiKey.status === status)
			.map(({ key, ...record }) => ({ ...record, masked_key: mask(key) }));
	},

	revokeApiKey: ({ state, path }) => {
		const apiKey = state.apiKeys.find(({ id }) => id === path.key_id);
		if (!apiKey) throw validationError([violation('not_found', 'unknown key', 'path', 'key_id')]);
		apiKey.status = 'revoked';
		return { success: true, message: 'Chave revogada.' };
	},

	sendMedia: ({ body: { message }, accept }) => {
		const messageId = accept(
			'chatApp',
			message?.to ?? '',
			message?.msg ?? '',
			timeOf(message?.scheduled_at),
		);
		return { success: true, message: 'Mensagem aceita.', messageId, status: 'send' };
	},

	sendAudio: ({ body, names, accept }) => {
		const { [names.audioScheduleField]: schedule } = body as Record<string, unknown>;
		const messageId = accept('chatApp', body.to ?? '', '', timeOf(schedule));
		return { status: 200, statusmessage: 'pending', message_id: messageId, taxa: 0 };
	},

	sendSms: ({ body, accept }) => {
		const messageId = accept('sms', body.to ?? '', body.msg ?? '', timeOf(body.schedule));
		return [{ success: true, message: 'SMS aceito.', messageId, status: 'pending' }];
	},

	getChatAppCampaign: (call) => queryCampaigns('chatApp', call),

	getSmsCampaign: (call) => queryCampaigns('sms', call),

	// When a campaign may be deleted is not shown either (§7).
	deleteCampaign: ({ state, body }) => {
		const [campaign] = state.findCampaigns('chatApp', body.campanhaId);
		if (!campaign) throw operationalError('campaignNotFound');
		if (statisticsOf(campaign.messages).queued > 0) throw operationalError('deletionNotAllowed');
		state.deleteCampaign(campaign);
		return { success: true, message: 'Campanha excluída.' };
	},

	// Any `{instance}` means the one instance of the token.
	logOutInstance: ({ state }) => {
		state.instance.connected = false;
		return { success: true, message: 'Instância desconectada com sucesso.' };
	},

	// A disconnected instance never gets here.
	getConnectionState: () => ({ instance: { instanceName: SEEDS.instanceName, state: 'open' } }),

	setWebhook: ({ state, body }) => {
		Object.assign(state.webhook, { url: body.url, enabled: body.enable });
		return { success: true, message: 'Webhook atualizado com sucesso.' };
	},

	getWebhook: ({ state }) => ({ ...state.webhook }),
};

/** Of a schedule, ISO 8601 or the local time of an SMS; undefined: now. */
function timeOf(schedule: unknown): number | undefined {
	const read = { zone: SMS_ZONE };
	const times = [
		DateTime.fromISO(String(schedule), read),
		DateTime.fromSQL(String(schedule), read),
	];
	return times.find(({ isValid }) => isValid)?.toMillis();
}

const mask = (key: string) => '•'.repeat(key.length - 4) + key.slice(-4);

/** Without an ID: all campaigns of the channel. */
function queryCampaigns(
	channel: Channel,
	{ state, query, names }: Call<'getChatAppCampaign' | 'getSmsCampaign'>,
) {
	const campaignId = query[names.campaignIdParameter];
	const campaigns = state.findCampaigns(channel, campaignId);
	if (campaignId !== undefined && campaigns.length === 0)
		throw operationalError('campaignNotFound');
	return { success: true, campaigns: campaigns.map(toRecord) };
}

const toRecord = ({ campaignId, nome, messages }: Campaign) => ({
	campaignId,
	nome,
	statistics: statisticsOf(messages),
	messages,
});

function statisticsOf(messages: Message[]): components['schemas']['CampaignStatistics'] {
	const count = (wanted: string) => messages.filter(({ status }) => status === wanted).length;
	const delivered = count('delivered');
	const rate = messages.length === 0 ? 0 : (100 * delivered) / messages.length;
	return {
		total: messages.length,
		queued: count('queued'),
		sent: count('sent'),
		delivered,
		errors: count('error'),
		deliveryRate: Number(rate.toFixed(2)),
	};
}
