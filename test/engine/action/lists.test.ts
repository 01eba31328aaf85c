/** Lists of campaigns and API keys, and what a service may do with a query for one: the interface leaves it open. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { SEEDS } from '../../../tools/sandbox';
import { shownCampaigns } from '../../../tools/shared/operations';
import { jsonOf, to, useGateway } from './support';

const gateway = useGateway();

const { finished, running } = SEEDS.campaigns.sms;

describe('a list of campaigns', () => {
	it.each<[INodeParameters, number]>([
		[{ limit: 1 }, 1],
		[{ limit: 2 }, 2],
		[{ limit: 1, returnAll: true }, 3],
	])('of %j', async (parameters, count) => {
		const run = await gateway.run('listSmsCampaigns', { parameters });
		expect(jsonOf(run)).toHaveLength(count);
	});

	it('with the messages', async () => {
		const run = await gateway.run('listSmsCampaigns', { parameters: { includeMessages: true } });
		expect(jsonOf(run)).toEqual(shownCampaigns('sms'));
	});
});

it('campaigns that a service does not list without an identifier', async () => {
	gateway.sandbox.fault({ fault: { status: 422, body: { detail: ['Field required'] } } });
	const { error } = await gateway.run('listSmsCampaigns');
	expect(error?.description).toMatch(
		/^Use 'Campaign: Get' to get one campaign by its ID\. The service/,
	);
});

const answer = (body: unknown) => gateway.sandbox.fault({ fault: { status: 200, body } });

describe('a campaign that is asked for', () => {
	const answerAll = (...ids: string[]) =>
		answer({ campaigns: ids.map((campaignId) => ({ campaignId, nome: 'x', messages: [{ to }] })) });

	it.each(['campaign', 'messages'])('is picked from a whole list as %s', async (output) => {
		answerAll(running, finished, 'c3');
		const run = await gateway.run('getSmsCampaign', { parameters: { output } });
		expect(jsonOf(run)).toMatchObject([{ campaignId: finished }]);
	});

	it('and one of its messages is answered: the numbers of both outputs reach the same people', async () => {
		const [campaign] = jsonOf(await gateway.run('getSmsCampaign'));
		const split = campaign!.messages as IDataObject[];
		const parameters = { output: 'messages' };
		const messages = jsonOf(await gateway.run('getSmsCampaign', { parameters }));
		expect(messages.map((message) => message.to)).toEqual(split.map((message) => message.to));
		await gateway.run('sendSms', { items: split, parameters: { to: '={{ $json.to }}' } });
		const sent = gateway.sandbox
			.requests({ operation: 'sendSms' })
			.map(({ body }) => body as IDataObject);
		expect(sent.map((body) => `+${String(body.to)}`).sort()).toEqual(
			split.map((message) => message.to).sort(),
		);
	});

	it('is not found in a list without it, and asked for once', async () => {
		answerAll(running, 'c3');
		const { error } = await gateway.run('getSmsCampaign', { rules: { maxRetries: 3 } });
		expect(error?.message).toBe('This campaign was not found');
		expect(gateway.sandbox.requests()).toHaveLength(1);
	});

	it('and without messages gives no items of them', async () => {
		const parameters = { campaignId: running, output: 'messages' };
		const { outputs, error } = await gateway.run('getSmsCampaign', { parameters });
		expect(error).toBeUndefined();
		expect(outputs).toEqual([[]]);
	});
});

describe.each(['getSmsCampaign', 'listSmsCampaigns'] as const)('an answer to %s', (id) => {
	it.each([
		...[{ success: true }, { campaigns: null }, { campaigns: {} }],
		{ success: true, data: [{ campaignId: finished }] },
	])('without a list of campaigns comes out as it is: %j', async (body) => {
		answer(body);
		expect(jsonOf(await gateway.run(id))).toEqual([body]);
	});

	it('that is only a list is accepted', async () => {
		answer([{ campaignId: finished, nome: 'x' }]);
		expect(jsonOf(await gateway.run(id))).toEqual([{ campaignId: finished, campaignName: 'x' }]);
	});
});

it.each([{ messages: null }, { messages: {} }, { messages: [], statistics: { total: '2' } }])(
	'messages that a campaign comes without are missed, rather than none: %j',
	async (more) => {
		answer({ campaigns: [{ campaignId: finished, ...more }] });
		const { error } = await gateway.run('getSmsCampaign', { parameters: { output: 'messages' } });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'This campaign came without its messages',
			description: expect.stringContaining("'Output'"),
		});
		expect(jsonOf(await gateway.run('getSmsCampaign'))).toHaveLength(1);
	},
);

/** The interface leaves the name of the filter open. */
describe('a list of API keys by their status', () => {
	const keys = ['active', 'revoked', 'Active', ' active ', null].map((status, index) => ({
		id: `k${index}`,
		status,
	}));

	const list = async (status: string, answer: unknown = keys) => {
		gateway.sandbox.fault({ fault: { status: 200, body: answer } });
		return await gateway.run('listApiKeys', { parameters: { filters: { status } } });
	};

	it('takes the keys that were asked for from a list of several statuses', async () => {
		expect(jsonOf(await list('active')).map(({ id }) => id)).toEqual(['k0', 'k2', 'k3']);
	});

	it('counts them after that', async () => {
		gateway.sandbox.fault({ fault: { status: 200, body: [...keys].reverse() } });
		const parameters = { filters: { status: 'active' }, limit: 1 };
		expect(jsonOf(await gateway.run('listApiKeys', { parameters }))).toEqual([keys[3]]);
	});

	it.each([[[]], [keys]])('gives none where none has the status: %j', async (answer) => {
		const { error, outputs } = await list('expired', answer);
		expect([error, outputs]).toEqual([undefined, [[]]]);
	});

	it('takes all of one status, in whatever words: the service has filtered', async () => {
		const found = [1, 2].map((id) => ({ id, status: 'active' }));
		expect(jsonOf(await list('ATIVA', found))).toEqual(found);
	});
});
