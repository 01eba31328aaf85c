import { NodeApiError, NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';

import {
	searchCampaigns,
	searchChatAppCampaigns,
} from '../../../nodes/MessagingGateway/listSearch';
import { credential, makeContext } from '../../../testing/context';

const statistics = { total: 6, queued: 0, sent: 1, delivered: 4, errors: 1, deliveryRate: 66.67 };
const campaigns = [
	{ campaignId: 'c1', nome: 'Boas-vindas', statistics, messages: [{ to: '1' }] },
	{ campaignId: 7, nome: { toString: 1 }, statistics: { total: 'many', delivered: '4' } },
	{ campaignId: 'c8', statistics: { total: 6 } },
	{ campaignId: 'c9', statistics: { delivered: 4 } },
	{ nome: 'without an identifier' },
	{ campaignId: ' ', nome: 'with an empty one' },
	'no campaign',
];

interface Asked {
	channel?: unknown;
	body?: unknown;
	statusCode?: number;
	instanceToken?: string;
}

async function ask(search: typeof searchCampaigns, filter: string | undefined, asked: Asked = {}) {
	const { channel, body = { success: true, campaigns }, statusCode = 200 } = asked;
	const urls: string[] = [];
	const context = makeContext({
		credential: { ...credential, instanceToken: asked.instanceToken ?? credential.instanceToken },
		http: async (_, { url, qs }) => {
			urls.push(new URL(url).pathname + JSON.stringify(qs ?? {}));
			return { statusCode, headers: {}, body: JSON.stringify(body) };
		},
	}) as unknown as ILoadOptionsFunctions;
	context.getCurrentNodeParameter = (name) => ({ channel })[name as 'channel'] as string;
	const { results } = await search.call(context, filter);
	return { results, urls };
}

test('each campaign is told by name and identifier, and what was delivered of it', async () => {
	expect((await ask(searchCampaigns, undefined)).results).toEqual([
		{ name: 'Boas-vindas · c1', value: 'c1', description: '4 of 6 messages delivered' },
		{ name: '7', value: '7' },
		{ name: 'c8', value: 'c8' },
		{ name: 'c9', value: 'c9' },
	]);
});

test.each([
	['boas', ['c1']],
	[' C1 ', ['c1']],
	['delivered', []],
	['', ['c1', '7', 'c8', 'c9']],
])('%j finds %j', async (filter, values) => {
	const { results } = await ask(searchCampaigns, filter);
	expect(results.map(({ value }) => value)).toEqual(values);
});

test.each<[string, typeof searchCampaigns, unknown, string]>([
	['the channel of the form', searchCampaigns, 'sms', '/v1/sms/campaign/messages{}'],
	['the channel of the form', searchCampaigns, 'chatApp', '/v2/chatapp/campaign/messages{}'],
	[
		'the default where none is stored',
		searchCampaigns,
		undefined,
		'/v2/chatapp/campaign/messages{}',
	],
	['the chat app alone', searchChatAppCampaigns, 'sms', '/v2/chatapp/campaign/messages{}'],
])('asks for %s, without an identifier', async (_, search, channel, url) => {
	expect((await ask(search, '', { channel })).urls).toEqual([url]);
});

test.each([null, '', 'other'])('a channel that is %j asks for nothing', async (channel) => {
	const asked = ask(searchCampaigns, '', { channel });
	await expect(asked).rejects.toThrow(NodeOperationError);
	await expect(asked).rejects.toMatchObject({
		message: "The value of 'Channel' is not known yet",
		description: expect.stringMatching(/'Campaign ID' to By ID/),
	});
});

test('the chat app without an instance token is told before any request', async () => {
	await expect(ask(searchChatAppCampaigns, '', { instanceToken: '' })).rejects.toThrow(
		"'Instance Token' is missing in the Messaging Gateway credential",
	);
	const sms = await ask(searchCampaigns, '', { instanceToken: '', channel: 'sms' });
	expect(sms.results).toHaveLength(4);
});

test('a credential that is refused is told with both of its keys', async () => {
	const body = { success: false, message: 'Token inválido.' };
	const refused = ask(searchCampaigns, '', { body, statusCode: 401 });
	await expect(refused).rejects.toMatchObject({
		description: expect.stringMatching(/'API Key' and 'Instance Token'/),
	});
});

test('a service that wants the identifier is told so, and how to go on', async () => {
	const body = {
		detail: [{ loc: ['query', 'campaignId'], msg: 'Field required', type: 'missing' }],
	};
	const refused = ask(searchCampaigns, '', { body, statusCode: 422 });
	await expect(refused).rejects.toThrow(NodeApiError);
	await expect(refused).rejects.toMatchObject({
		message: 'The service did not list the campaigns: "query.campaignId: Field required"',
		description:
			"It may want the ID of one, which its documentation leaves open. Switch 'Campaign ID' to By ID and enter one.",
	});
});

test('an answer without a list is no empty one', async () => {
	await expect(ask(searchCampaigns, '', { body: { success: true } })).rejects.toThrow(
		'The service answered without a list of campaigns',
	);
	const { results } = await ask(searchCampaigns, '', { body: { success: true, campaigns: [] } });
	expect(results).toEqual([]);
});
