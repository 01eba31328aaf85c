import { randomUUID } from 'node:crypto';
import { SEEDS, seededCampaigns } from './seeds';
import type {
	ApiKeySetting,
	Campaign,
	CampaignSetting,
	Channel,
	Message,
	MessageStatus,
	WebhookConfiguration,
} from './types';

/** A message that moved one step, as a status event reports it. */
export interface Move {
	message: Message;
	campaign: Campaign;
}

/** Messages to numbers with this ending are never delivered. */
export const UNDELIVERABLE = /0000$/;

/** The state of the service. */
export class ServiceState {
	apiKeys = SEEDS.apiKeys.map((key) => ({ ...key }));
	readonly instance = { connected: true };
	readonly webhook: WebhookConfiguration = { url: null, enabled: null };
	private campaigns: Campaign[] = (['chatApp', 'sms'] as const).flatMap((channel) =>
		seededCampaigns(channel).map((campaign) => ({ ...campaign, channel })),
	);
	private underway: Move[] = [];

	/** Adds a message to the running campaign of its channel. */
	accept(channel: Channel, to: string): { messageId: string; campaignId: string } {
		const campaign = this.runningCampaign(channel);
		const message: Message = { messageId: randomUUID(), to, status: 'queued' };
		campaign.messages.push(message);
		this.underway.push({ message, campaign });
		return { messageId: message.messageId, campaignId: campaign.campaignId };
	}

	/** Moves each accepted message one step: queued → sent → delivered or error. */
	advance(): Move[] {
		const moved = this.underway;
		for (const { message } of moved) message.status = nextStatus(message);
		this.underway = moved.filter(({ message }) => message.status === 'sent');
		return moved;
	}

	/** The campaigns of a channel, or the one with this ID. */
	findCampaigns(channel: Channel, campaignId?: string): Campaign[] {
		return this.campaigns.filter(
			(campaign) =>
				campaign.channel === channel &&
				(campaignId === undefined || campaign.campaignId === campaignId),
		);
	}

	deleteCampaign(campaign: Campaign): void {
		this.campaigns = this.campaigns.filter((other) => other !== campaign);
		this.underway = this.underway.filter((move) => move.campaign !== campaign);
	}

	/** Replaces the campaign with the same ID, if any. */
	setCampaign({ nome, ...setting }: CampaignSetting): void {
		const { channel, campaignId } = setting;
		const campaign = { ...setting, nome: nome ?? campaignId };
		const [old] = this.findCampaigns(channel, campaignId);
		if (old) this.deleteCampaign(old);
		this.campaigns.push(campaign);
		const moving = campaign.messages.filter(({ status }) => ['queued', 'sent'].includes(status));
		this.underway.push(...moving.map((message) => ({ message, campaign })));
	}

	/** Known keys keep the fields that are not given. */
	setApiKeys(keys: ApiKeySetting[]): void {
		const created = { created_at: new Date().toISOString(), last_used_at: '' };
		this.apiKeys = keys.map((key) => ({
			...(this.apiKeys.find(({ id }) => id === key.id) ?? created),
			...key,
		}));
	}

	/** Created again if it was deleted. */
	private runningCampaign(channel: Channel): Campaign {
		const campaignId = SEEDS.campaigns[channel].running;
		const [running] = this.findCampaigns(channel, campaignId);
		if (running) return running;
		const campaign: Campaign = { campaignId, nome: 'Envios avulsos', channel, messages: [] };
		this.campaigns.push(campaign);
		return campaign;
	}
}

function nextStatus({ status, to }: Message): MessageStatus {
	if (status === 'queued') return 'sent';
	return UNDELIVERABLE.test(to) ? 'error' : 'delivered';
}
