import type { components, operations } from '../../nodes/service/interface';
import { operationalError, validationError, violation } from './errors';
import { SEEDS } from './seeds';
import type { ServiceState } from './state';
import type { Campaign, Channel, Message, Names, OperationId } from './types';

type RequestBodyOf<Id extends OperationId> = operations[Id] extends {
	requestBody: { content: { 'application/json': infer Json } };
}
	? Json
	: undefined;

type Success<Id extends OperationId> =
	operations[Id]['responses']['2XX']['content']['application/json'];

/** A valid request whose credential was accepted. */
export interface Call<Id extends OperationId> {
	path: operations[Id]['parameters']['path'];
	query: Record<string, string | undefined>;
	body: RequestBodyOf<Id>;
	names: Names;
	state: ServiceState;
}

/** Returns the body of a success, undefined for the document's example, or throws a `Refusal`. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Success<Id> | undefined;

/**
 * The operations that do more than answer with the document's example. The interface does not show the
 * success bodies of §4.2, §4.6, §4.9 and §4.10.
 */
export const handlers: { [Id in OperationId]?: Handler<Id> } = {
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

	setWebhook: ({ state, body }) =>
		void Object.assign(state.webhook, { url: body.url, enabled: body.enable }),

	getWebhook: ({ state }) => ({ ...state.webhook }),
};

const mask = (key: string) => '•'.repeat(key.length - 4) + key.slice(-4);

/** Returns the campaign with the ID; without one, all campaigns of the channel. */
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
