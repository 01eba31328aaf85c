/** The lists that API keys and campaigns are chosen from. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { SEEDS } from '../../../tools/sandbox';
import { seededCampaigns } from '../../../tools/sandbox/seeds';
import { runListSearch } from '../harness';
import { parametersFor } from '../../../tools/shared/operations';
import { useGateway } from './support';

const gateway = useGateway();

interface Asked {
	filter?: string;
	/** What the service answers; default: the sandbox's own. */
	body?: unknown;
	credential?: IDataObject;
	channel?: unknown;
}

async function search(
	method: string,
	{ filter, body, credential, ...parameters }: Asked,
	operation: INodeParameters,
) {
	if (body !== undefined) gateway.sandbox.fault({ fault: { status: 200, body } });
	const { results } = await runListSearch(method, filter, {
		node: 'messagingGateway',
		parameters: { ...operation, ...(parameters as INodeParameters) },
		credential: { ...gateway.sandbox.credential, ...credential } as never,
	});
	return results;
}

const searchKeys = async (asked: Asked = {}) =>
	await search('searchApiKeys', asked, parametersFor('revokeApiKey'));

const searchCampaigns = async (
	id: 'getChatAppCampaign' | 'getSmsCampaign' | 'deleteCampaign',
	asked: Asked = {},
) =>
	await search(
		id === 'deleteCampaign' ? 'searchChatAppCampaigns' : 'searchCampaigns',
		asked,
		parametersFor(id),
	);

const valuesOf = (entries: Awaited<ReturnType<typeof search>>) => entries.map(({ value }) => value);

describe('API keys', () => {
	it('show name, status, channel and the end of the mask', async () => {
		expect(await searchKeys()).toEqual(
			SEEDS.apiKeys.map(({ id, name, channel, key, status }) => ({
				name: `${name} · ${status} · ${channel} · …${key.slice(-4)}`,
				value: id,
			})),
		);
		const request = gateway.sandbox.requests().at(-1)!;
		expect(request).toMatchObject({ operationId: 'listApiKeys', valid: true, query: {} });
		expect(request.headers).not.toHaveProperty('x-instance-token');
	});

	it.each([
		['integração', ['key-crm']],
		[' SMS ', ['key-sms', 'key-staging', 'key-lost']],
		['revoked', ['key-old', 'key-lost']],
		['c7d2', ['key-sms']],
		['nothing like it', []],
	])('are filtered by %j', async (filter, expected) => {
		expect(valuesOf(await searchKeys({ filter }))).toEqual(expected);
	});

	it.each<[IDataObject, string]>([
		[{ name: null, masked_key: '••••9999' }, '…9999'],
		[{ name: { toString: 1 }, status: 'Revogada', masked_key: 4711 }, 'Revogada'],
		[{ name: `Shop\n${'x'.repeat(300)}` }, `Shop ${'x'.repeat(195)}…`],
		[{ name: 'Shop', masked_key: '' }, 'Shop'],
		[{ name: ' ', channel: 'sms' }, 'sms'],
		[{ masked_key: 'sk-live-4f1c9a7be2d8' }, '…e2d8'], // of one that is not masked, no more
	])('as %j are shown as %j', async (key, name) => {
		const id = `${'k'.repeat(300)} `; // as long as it is, since it is sent back
		expect(await searchKeys({ body: [{ id, ...key }, { name: 'no id' }] })).toEqual([
			{ name, value: id },
		]);
	});
});

describe('campaigns', () => {
	const { finished, running } = SEEDS.campaigns.sms;

	it.each([
		['getChatAppCampaign', 'chatApp', {}],
		['getSmsCampaign', 'sms', {}],
		['deleteCampaign', 'chatApp', { channel: 'sms' }],
		['getSmsCampaign', 'sms', { channel: undefined }], // where none is stored
	] as const)('of %s: those of %s, by name and deliveries, %j', async (id, channel, asked) => {
		expect(await searchCampaigns(id, asked)).toEqual(
			seededCampaigns(channel).map(({ campaignId, nome }) => ({
				name: expect.stringMatching(`^${nome} · \\d of \\d delivered · …${campaignId.slice(-4)}$`),
				value: campaignId,
			})),
		);
		expect(gateway.onlyRequest()).toMatchObject({ valid: true, query: {} });
	});

	it.each([
		['BOAS', [finished]],
		[` ${running.slice(-4)} `, [running]],
		['4 of 6', [finished]],
		['6 of 4', []],
	])('are searched by name and identifier: %s', async (filter, found) => {
		expect(valuesOf(await searchCampaigns('getSmsCampaign', { filter }))).toEqual(found);
	});

	it.each<[name: string, value: string, nome: unknown, statistics: IDataObject]>([
		['…7', '7', { toString: 1 }, { total: 'many', delivered: '4' }],
		['…c8', 'c8', undefined, { total: 6 }],
		['…c9', 'c9', undefined, { delivered: 4 }],
		['Ana · 4 of 6 delivered · …c9', 'c9', 'Ana', { total: 6, delivered: 4 }],
	])('are shown as %s of %s: %j, %j', async (name, value, nome, statistics) => {
		const campaignId = value === '7' ? 7 : value;
		const others = [{ nome: 'no identifier' }, { campaignId: ' ', nome: 'an empty one' }, 'none'];
		const body = { success: true, campaigns: [...others, { campaignId, nome, statistics }] };
		expect(await searchCampaigns('getSmsCampaign', { body })).toEqual([{ name, value }]);
	});

	it('of a service that requires an identifier are not listed, but the error says how to enter one', async () => {
		gateway.sandbox.fault({ fault: { status: 422, body: { detail: ['Field required'] } } });
		await expect(searchCampaigns('getSmsCampaign')).rejects.toMatchObject({
			description: expect.stringMatching(/^Enter the ID, or an expression that returns it\. The/),
		});
	});

	it('are none where a list says so, and unknown without one', async () => {
		const search = async (body: object) => await searchCampaigns('getSmsCampaign', { body });
		expect(await search({ success: true, campaigns: [] })).toEqual([]);
		gateway.sandbox.clearFaults();
		await expect(search({ success: true })).rejects.toThrow('without a list of campaigns');
	});

	it('of the chat app need the instance token, and those of SMS do not', async () => {
		const credential = { instanceToken: '' };
		await expect(searchCampaigns('getChatAppCampaign', { credential })).rejects.toThrow(
			"'Instance Token' is missing in the Messaging Gateway credential",
		);
		expect(await searchCampaigns('getSmsCampaign', { credential })).toHaveLength(3);
		gateway.sandbox.fault({ fault: { refuse: 'Token inválido.', status: 401 } });
		await expect(searchCampaigns('getChatAppCampaign')).rejects.toMatchObject({
			description: expect.stringMatching(/'API Key' and 'Instance Token'/),
		});
	});
});
