import type { Channel, MessageStatus } from './types';

/** The content of a fresh sandbox: fixed values, so that tests and examples can refer to them. */
export const SEEDS = {
	apiKey: 'sandbox-api-key-4f1c9a7be2d8463597b0',
	instanceToken: 'sandbox-instance-token-a6d3e85f1b924c70',
	instanceName: 'sandbox-instance',
	apiKeys: [
		apiKey('key-production', 'Produção', 'chatapp', 'active', '4f1c9a7be2d8463597b0'),
		apiKey('key-crm', 'Integração CRM', 'chatapp', 'active', '0b8e53d17c6f4a29e4c1'),
		apiKey('key-sms', 'Campanhas SMS', 'sms', 'active', '92aa6e0f3d5b4871c7d2'),
		apiKey('key-staging', 'Homologação', 'sms', 'active', '6c7d18e4b09f4523a1e3'),
		apiKey('key-old', 'Chave antiga', 'chatapp', 'revoked', 'd35f72c0814e4b96f8f4'),
		apiKey('key-lost', 'Notebook perdido', 'sms', 'revoked', 'e89b04a6f27d4c1385a5'),
	],
	/** `scheduled` cannot be deleted, as its messages are queued. */
	campaigns: {
		chatApp: {
			finished: 'c0000000-0000-4000-8000-000000000001',
			scheduled: 'c0000000-0000-4000-8000-000000000002',
			running: 'c0000000-0000-4000-8000-000000000003',
		},
		sms: {
			finished: '50000000-0000-4000-8000-000000000001',
			scheduled: '50000000-0000-4000-8000-000000000002',
			running: '50000000-0000-4000-8000-000000000003',
		},
	},
};

/** The people on the list of the demo's two workflows, which the page of messages compares. */
export const REMINDED = Array.from({ length: 20 }, (_, index) => `+${5511900200001 + index}`);

/** Three campaigns; accepted messages join the last one. */
export function seededCampaigns(channel: Channel) {
	const ids = SEEDS.campaigns[channel];
	return [
		campaign(ids.finished, 'Boas-vindas', [
			...Array<MessageStatus>(4).fill('delivered'),
			...['sent', 'error'],
		]),
		campaign(ids.scheduled, 'Lembrete de consulta', ['queued', 'queued', 'queued']),
		campaign(ids.running, 'Envios avulsos', []),
	];
}

function campaign(campaignId: string, nome: string, statuses: MessageStatus[]) {
	const messages = statuses.map((status, index) => ({
		to: `551190000100${index}`,
		status,
		messageId: campaignId.replace('-0000-', `-00${index + 1}0-`),
	}));
	return { campaignId, nome, messages };
}

function apiKey(id: string, name: string, channel: string, status: string, random: string) {
	return {
		id,
		name,
		channel,
		status,
		key: `sandbox-api-key-${random}`,
		created_at: '2025-03-10T12:00:00Z',
		last_used_at: '2025-11-02T08:30:00Z',
	};
}
