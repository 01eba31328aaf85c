import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { SEEDS } from '../../../sandbox';
import { StatusWorkflow, useSandbox } from './support';

const sandbox = useSandbox();

afterEach(() => {
	expect(sandbox().requests({ valid: false })).toEqual([]);
});

const watch = (event: string, parameters: INodeParameters = {}) =>
	new StatusWorkflow(sandbox(), { event, ...parameters });

/** Sends through the service itself. */
async function send(to: string): Promise<void> {
	const { url, credential } = sandbox();
	await fetch(`${url}/v1/sms/enviar`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': credential.apiKey },
		body: JSON.stringify({ to, msg: 'Olá', tiposms: '1' }),
	});
}

describe('Message Status Changed', () => {
	const campaignId = SEEDS.campaigns.sms.running;
	const parameters = {
		channel: 'sms',
		campaignIds: `${SEEDS.campaigns.sms.finished}\n${campaignId}`,
	};

	it('follows messages as the service moves them on', async () => {
		const workflow = watch('messageStatusChanged', parameters);
		await workflow.publish();
		expect(workflow.items).toEqual([]);
		await send('5511912345678');
		await send('5511900000000'); // is never delivered
		const seen: unknown[] = [];
		for (let step = 0; step < 4; step++) {
			const items = await workflow.look();
			seen.push(items.map(({ to, previousStatus, status }) => [to, previousStatus, status]));
			await sandbox().advance();
		}
		expect(seen).toEqual([
			[
				['5511912345678', null, 'queued'],
				['5511900000000', null, 'queued'],
			],
			[
				['5511912345678', 'queued', 'sent'],
				['5511900000000', 'queued', 'sent'],
			],
			[
				['5511912345678', 'sent', 'delivered'],
				['5511900000000', 'sent', 'error'],
			],
			[],
		]);
		const [first] = sandbox().accepted();
		expect(workflow.items[0]).toEqual({
			messageId: first!.messageId,
			status: 'queued',
			previousStatus: null,
			to: '5511912345678',
			campaignId,
			campaignName: 'Envios avulsos',
			channel: 'sms',
		});
	});

	it('takes the campaigns from an expression', async () => {
		const { finished, scheduled } = SEEDS.campaigns.chatApp;
		for (const campaignIds of [
			`={{ ['${finished}', '${scheduled}'] }}`,
			`={{ '${finished}, ${scheduled}' }}`,
		]) {
			const workflow = watch('messageStatusChanged', { channel: 'chatApp', campaignIds });
			sandbox().reset();
			await workflow.publish();
			const asked = sandbox()
				.requests()
				.map(({ query }) => query.campaignId);
			expect(asked.sort()).toEqual([finished, scheduled]);
		}
	});
});

describe('Campaign Finished', () => {
	it('comes with the statistics, once', async () => {
		const campaignIds = SEEDS.campaigns.sms.running;
		const workflow = watch('campaignFinished', { channel: 'sms', campaignIds });
		await workflow.publish();
		for (const to of ['5511912345678', '5511900000000']) await send(to);
		for (let step = 0; step < 3; step++) {
			expect(await workflow.look()).toHaveLength(step === 2 ? 1 : 0);
			await sandbox().advance();
		}
		expect(workflow.items).toEqual([
			{
				campaignId: campaignIds,
				campaignName: 'Envios avulsos',
				channel: 'sms',
				...{ total: 2, queued: 0, sent: 0, delivered: 1, errors: 1, deliveryRate: 50 },
			},
		]);
		await send('5511912345678');
		for (let step = 0; step < 3; step++) {
			expect(await workflow.look()).toEqual([]);
			await sandbox().advance();
		}
	});
});

describe('Connection Changed', () => {
	it('comes in both directions, after two looks', async () => {
		const workflow = watch('connectionChanged');
		await workflow.publish();
		for (const connected of [false, true]) {
			sandbox().instance.connected = connected;
			expect(await workflow.look()).toEqual([]);
			expect(await workflow.look()).toEqual([{ connected, previouslyConnected: !connected }]);
			expect(await workflow.look()).toEqual([]);
		}
		expect(workflow.failures).toEqual([]);
	});
});

describe('API Key Changed', () => {
	it('comes for a key that is added, revoked, gone; with its mask', async () => {
		const workflow = watch('apiKeyChanged');
		await workflow.publish();
		const before = sandbox().apiKeys;
		const key = 'sandbox-api-key-0000111122223333';
		const added = { id: 'key-new', name: 'Nova', channel: 'sms', status: 'active', key };
		const masked_key = '•'.repeat(key.length - 4) + '3333';
		const simple = { id: 'key-new', name: 'Nova', channel: 'sms', masked_key };

		sandbox().apiKeys = [...before, added];
		expect(await workflow.look()).toEqual([{ change: 'added', ...simple, status: 'active' }]);
		sandbox().apiKeys = [...before, { ...added, status: 'revoked' }];
		expect(await workflow.look()).toEqual([{ change: 'revoked', ...simple, status: 'revoked' }]);
		sandbox().apiKeys = before;
		expect(await workflow.look()).toEqual([]);
		expect(await workflow.look()).toEqual([{ change: 'vanished', ...simple, status: 'revoked' }]);
	});
});

it.each([
	[
		'messageStatusChanged',
		{ campaignIds: SEEDS.campaigns.chatApp.finished },
		{ status: 'delivered', previousStatus: null },
	],
	['campaignFinished', { campaignIds: SEEDS.campaigns.chatApp.finished }, { total: 6, errors: 1 }],
	['connectionChanged', {}, { connected: true, previouslyConnected: false }],
	['apiKeyChanged', {}, { change: 'added', id: 'key-production' }],
] as const)(
	"'Fetch Test Event' of %s leaves the state alone",
	async (event, parameters, expected) => {
		const workflow = watch(event, parameters);
		expect(await workflow.fetchTestEvent()).toMatchObject([expected]);
		expect(workflow.staticData).toEqual({});
		await workflow.publish();
		const stored = structuredClone(workflow.staticData);
		await workflow.fetchTestEvent();
		expect(workflow.staticData).toEqual(stored);
	},
);

it('shows no key or token in what it stores, says and logs', async () => {
	const { apiKey, instanceToken } = sandbox().credential;
	for (const event of ['messageStatusChanged', 'connectionChanged', 'apiKeyChanged']) {
		const workflow = watch(event, { campaignIds: SEEDS.campaigns.chatApp.running });
		await workflow.publish();
		sandbox().fault({ fault: { status: 500, body: { detail: `${apiKey} ${instanceToken}` } } });
		await workflow.look();
		sandbox().clearFaults();
		expect(workflow.failures).toHaveLength(1);
		const seen = inspect([workflow.staticData, workflow.failures, workflow.logs()], { depth: 9 });
		for (const secret of [apiKey, instanceToken]) expect(seen).not.toContain(secret);
	}
});
