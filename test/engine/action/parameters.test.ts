/** What each parameter changes in the request or in the output. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { SEEDS, type Fault, type OperationId } from '../../../tools/sandbox';
import { jsonOf, pairs, until, useGateway } from './support';

const gateway = useGateway();

const runJson = async (id: OperationId, parameters: INodeParameters = {}) =>
	jsonOf(await gateway.run(id, { parameters }));

describe('the request', () => {
	const url = 'https://example.com/report.pdf';
	const caption = 'Your report';
	const document = {
		mediatype: 'document',
		mediaurl: url,
		mimetype: 'application/pdf',
		msg: caption,
	};
	const off = { enable: false, url: 'https://a.b/c' };
	it.each<[OperationId, INodeParameters, object]>([
		['sendSms', { text: 'Olá ✓', options: { smsType: '2' } }, { msg: 'Olá ✓', tiposms: '2' }],
		['sendAudio', { options: { chatAppMode: 'shared' } }, { chatapp_mode: 'shared' }],
		['sendMedia', { mediaType: 'document', mediaUrl: url, caption }, { message: document }],
		['setWebhook', off, off],
		['deleteCampaign', { campaignId: ' abc ' }, { campanhaId: 'abc' }],
	])('%s with %j', async (id, parameters, body) => {
		await gateway.run(id, { parameters });
		expect(gateway.onlyRequest()).toMatchObject({ valid: true, body });
	});

	const keyId = { __rl: true, mode: 'list', value: 'a/b c' };
	it.each<[OperationId, INodeParameters, string]>([
		['revokeApiKey', { keyId }, '/v1/apikeys/a%2Fb%20c'],
		['logOutInstance', { instance: 'my/é' }, '/v2/chatapp/instance/logout/my%2F%C3%A9'],
	])('%s encodes its path', async (id, parameters, path) => {
		await gateway.run(id, { parameters });
		expect(gateway.onlyRequest().path).toBe(path);
	});
});

it('an operation that no version of the node has is an error', async () => {
	const { error } = await gateway.run('sendSms', { parameters: { operation: 'sendFax' } });
	expect(error).toMatchObject({ name: 'NodeOperationError', message: 'Choose an operation' });
	expect(gateway.sandbox.requests()).toEqual([]);
});

it.each(['getChatAppCampaign', 'getSmsCampaign'] as const)(
	'%s gives one item per message',
	async (id) => {
		const [{ messages, ...campaign } = {}] = await runJson(id);
		const run = await gateway.run(id, { parameters: { output: 'messages' } });
		expect(jsonOf(run)).toEqual(
			(messages as IDataObject[]).map((message) => ({ ...campaign, ...message })),
		);
		expect(pairs(run.outputs[0])).toEqual([0, 0, 0, 0, 0, 0]);
	},
);

describe('an instance that is logged out', () => {
	it('is an answer where its state is asked for, an error elsewhere', async () => {
		await gateway.run('logOutInstance');
		expect(await runJson('getConnectionState')).toEqual([
			{ connected: false, answer: { success: false, message: 'Instância desconectada.' } },
		]);
		const { error } = await gateway.run('sendMedia');
		expect(error?.message).toBe('The chat-app instance is disconnected: "Instância desconectada."');
	});

	it.each([
		[{ instance: { state: 'close' } }, true],
		[{ state: 'open' }, null],
	])('%j says that it is: %j', async (answer, loggedOut) => {
		gateway.sandbox.fault({ fault: { status: 200, body: answer } });
		const [json] = await runJson('logOutInstance');
		expect(json).toEqual({ loggedOut, instance: 'my-instance', answer });
	});
});

describe('answers', () => {
	it.each(['revokeApiKey', 'deleteCampaign', 'logOutInstance'] as const)(
		'%s takes an empty one for a success',
		async (id) => {
			gateway.sandbox.fault({ fault: { status: 204 } });
			const [json] = await runJson(id);
			const said = id === 'logOutInstance' ? { loggedOut: null } : { deleted: true };
			expect(json).toMatchObject(said);
			expect(json).not.toHaveProperty('answer');
		},
	);

	it('the webhook is shown without the secret of a trigger', async () => {
		const enabled = true;
		const secret = `v1.p.dw.${'x'.repeat(43)}`;
		const url = 'https://n8n.example/hook?a=1&mgt=***';
		gateway.sandbox.webhook = { url: url.replace('***', secret), enabled };
		expect(await runJson('getWebhook')).toEqual([{ url, enabled }]);

		const { error } = await gateway.run('setWebhook', { parameters: { url } });
		expect(error?.message).toBe("'URL' contains a masked secret");
		expect(gateway.sandbox.webhook.url).toContain(secret);
	});

	describe('the webhook, switched off without a URL', () => {
		const off = { enable: false, url: '' };
		const urls = [
			`https://n8n.example/hook?a=1&mgt=v1.p.dw.${'x'.repeat(43)}`,
			`https://n8n.example/${SEEDS.apiKey}/%20?key=${SEEDS.apiKey}#ü`, // nobody is shown it
			'not even a URL',
		];
		const [url = ''] = urls;
		beforeEach(() => (gateway.sandbox.webhook = { url, enabled: true }));

		it.each(urls)('keeps the one that is set: %s', async (url) => {
			gateway.sandbox.webhook = { url, enabled: true };
			const message = 'Webhook atualizado com sucesso.';
			expect(await runJson('setWebhook', off)).toEqual([{ success: true, message }]);
			expect(gateway.sandbox.webhook).toEqual({ url, enabled: false });
			expect(gateway.sandbox.requests()).toMatchObject([
				{ operationId: 'getWebhook', valid: true },
				{ operationId: 'setWebhook', valid: true, body: { enable: false, url } },
			]);
		});

		it('is off, too, where none is set', async () => {
			gateway.sandbox.webhook = { url: null, enabled: null };
			await runJson('setWebhook', off);
			expect(gateway.sandbox.webhook).toEqual({ url: '', enabled: false });
		});

		it.each<Fault>([{ html: true }, { status: 200, body: { enabled: true } }, { status: 500 }])(
			'is left alone where it cannot be read: %j',
			async (fault) => {
				gateway.sandbox.fault({ operation: 'getWebhook', fault });
				const { error } = await gateway.run('setWebhook', { parameters: off });
				expect(error?.name).toBe('NodeApiError');
				expect(gateway.sandbox.webhook).toEqual({ url, enabled: true });
				expect(gateway.sandbox.requests({ operation: 'setWebhook' })).toEqual([]);
			},
		);

		it('is read anew for each attempt', async () => {
			gateway.sandbox.fault({ operation: 'setWebhook', times: 1, fault: { tooMany: true } });
			const running = gateway.run('setWebhook', { parameters: off, rules: { maxRetries: 1 } });
			await until(() => gateway.sandbox.requests({ operation: 'setWebhook' }).length === 1);
			const other = { url: 'https://n8n.example/other', enabled: true };
			gateway.sandbox.webhook = { ...other };
			expect((await running).error).toBeUndefined();
			expect(gateway.sandbox.webhook).toEqual({ ...other, enabled: false });
		});
	});
});
