import { randomUUID } from 'node:crypto';
import { digitsOf } from './records';
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

interface Underway extends Move {
	dueAt?: number;
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
	private underway: Underway[] = [];

	/** Adds a message to the running campaign of its channel. */
	accept(channel: Channel, to: string, dueAt?: number): { messageId: string; campaignId: string } {
		const campaign = this.runningCampaign(channel);
		const message: Message = { messageId: randomUUID(), to: digitsOf(to), status: 'queued' };
		campaign.messages.push(message);
		this.underway.push({ message, campaign, dueAt });
		return { messageId: message.messageId, campaignId: campaign.campaignId };
	}

	/** Moves each accepted message that is due one step: queued → sent → delivered or error. */
	advance(): Move[] {
		const time = Date.now();
		const moved = this.underway.filter(({ dueAt = 0 }) => dueAt <= time);
		for (const { message } of moved) message.status = nextStatus(message);
		this.underway = this.underway.filter(isMoving);
		return moved;
	}

	/** Statuses by message. */
	statuses(): Map<string, MessageStatus> {
		const all = this.campaigns.flatMap(({ messages }) => messages);
		return new Map(all.map(({ messageId, status }) => [messageId, status]));
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
		const moves = campaign.messages.map((message) => ({ message, campaign }));
		this.underway.push(...moves.filter(isMoving));
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

const isMoving = ({ message: { status } }: Move) => status === 'queued' || status === 'sent';

function nextStatus({ status, to }: Message): MessageStatus {
	if (status === 'queued') return 'sent';
	return UNDELIVERABLE.test(to) ? 'error' : 'delivered';
}
