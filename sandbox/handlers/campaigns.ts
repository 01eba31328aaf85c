import type { components } from '../../nodes/gateway/interface';
import { operationalError } from '../errors';
import type { Campaign, Message } from '../state';
import type { Channel } from '../types';
import type { Call, Handlers } from './handler';

type Statistics = components['schemas']['CampaignStatistics'];

export const campaignHandlers: Handlers<
	'getChatAppCampaign' | 'getSmsCampaign' | 'deleteCampaign'
> = {
	getChatAppCampaign: (call) => query('chatApp', call),

	getSmsCampaign: (call) => query('sms', call),

	// The condition and the success body are not shown (§7, §4.6): these are the sandbox's.
	deleteCampaign: ({ state, body }) => {
		const [campaign] = state.findCampaigns('chatApp', body.campanhaId);
		if (!campaign) throw operationalError('campaignNotFound');
		if (statisticsOf(campaign.messages).queued > 0) throw operationalError('deletionNotAllowed');
		state.deleteCampaign(campaign);
		return { success: true, message: 'Campanha excluída.' };
	},
};

/** Without an id: all campaigns of the channel. */
function query(
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

function statisticsOf(messages: Message[]): Statistics {
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
