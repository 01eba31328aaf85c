/** What the harness promises to other tests, and what the nodes rely on n8n's engine for. */
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import {
	deduplication,
	register,
	runHook,
	runListSearch,
	runNode,
	runTrigger,
	runWebhook,
	startNode,
	startWebhook,
	storeBinary,
} from './harness';
import { defineAction, defineNode, startService } from './harness/fixture';
import { userFolder } from './harness/environment';

const credential = { key: 'secret' };
const services: Array<{ close(): Promise<void> }> = [];
const service: typeof startService = async (answer) => {
	const started = await startService(answer);
	services.push(started);
	return started;
};
afterEach(async () => {
	await Promise.all(services.splice(0).map(async ({ close }) => await close()));
});

/** Sends the request once per item and gives the status of each response. */
const sender = (request: IHttpRequestOptions, readOnce = false) =>
	defineAction(async function () {
		const data = readOnce ? await this.getCredentials('fixtureApi') : undefined;
		const known = data && { id: '', name: '', type: 'fixtureApi', data: data as never };
		const send = async () => {
			const options = { ...request, returnFullResponse: true };
			const { statusCode } = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'fixtureApi',
				options,
				{ credentialsDecrypted: known },
			)) as IDataObject;
			return { json: { statusCode } };
		};
		return [await Promise.all(this.getInputData().map(send))];
	});

describe('a run', () => {
	const echo = defineAction(async function () {
		const json = (index: number) => ({ value: this.getNodeParameter('value', index) as string });
		return [this.getInputData().map((_, index) => ({ json: json(index) }))];
	});

	it('evaluates expressions for each item and gives what the node returns, paired', async () => {
		const run = await runNode({
			node: echo,
			parameters: { value: '={{ $json.to }} {{ $("Items").item.json.to }}' },
			items: [{ to: 'a' }, { json: { to: 'b' } }],
		});
		expect(run).toMatchObject({
			outputs: [
				[
					{ json: { value: 'a a' }, pairedItem: { item: 0 } },
					{ json: { value: 'b b' }, pairedItem: { item: 1 } },
				],
			],
			error: undefined,
			status: 'success',
		});
	});

	it('fills in defaults, the time zone and captures the log', async () => {
		const node = defineAction(async function () {
			this.logger.warn('careful', { itemIndex: 0 });
			return [[{ json: { zone: this.getTimezone(), value: this.getNodeParameter('value', 0) } }]];
		});
		const run = await runNode({ node, timezone: 'America/Sao_Paulo' });
		expect(run.outputs[0]![0]!.json).toEqual({ zone: 'America/Sao_Paulo', value: 'default value' });
		expect(run.logs).toContain('warn: careful { itemIndex: 0 }');
	});
});

describe('errors', () => {
	let tries = 0;
	const failing = defineAction(async function () {
		tries++;
		throw new Error('no');
	});
	const items = [{ to: 'a' }, { to: 'b' }];

	it.each([
		['stopWorkflow', []],
		['continueRegularOutput', [['a', 'b']]],
		['continueErrorOutput', [['a', 'b']]],
	] as const)('%s: a node that throws passes its input on or nothing', async (onError, outputs) => {
		const run = await runNode({ node: failing, items, onError });
		expect(run).toMatchObject({ status: 'error', error: { message: 'no' } });
		expect(run.outputs.map((output) => output.map(({ json }) => json.to))).toEqual(outputs);
	});

	it('sends error items to the error output, merged with their input', async () => {
		const node = defineAction(async function () {
			return [
				[
					{ json: { ok: true }, pairedItem: { item: 0 } },
					{ json: { error: 'no', details: 'why' }, pairedItem: { item: 1 } },
					{ json: { error: 'no', code: 1 }, pairedItem: { item: 1 } },
				],
			];
		});
		const { outputs } = await runNode({ node, items, onError: 'continueErrorOutput' });
		expect(outputs.map((output) => output.map(({ json }) => json))).toEqual([
			[{ ok: true }, { error: 'no', code: 1 }],
			[{ to: 'b', error: 'no', details: 'why' }],
		]);
	});

	it('tries the whole node again with Retry On Fail', async () => {
		tries = 0;
		await runNode({ node: failing, retryOnFail: true });
		expect(tries).toBe(3);
	});
});

describe('requests', () => {
	it('authenticates, and reads the credential for each request', async () => {
		const { url, received } = await service();
		const run = await runNode({ node: sender({ url }), credential, items: [{}, {}, {}] });
		expect(run.credentialReads).toBe(3);
		expect(received.map(({ headers }) => headers['x-key'])).toEqual(Array(3).fill('Plain secret'));
	});

	it('resolves expressions in a generic authentication and in the credential', async () => {
		const { url, received } = await service();
		register({
			name: 'genericApi',
			displayName: 'Generic API',
			properties: [{ displayName: 'Key', name: 'key', type: 'string', default: '' }],
			authenticate: {
				type: 'generic',
				properties: { headers: { 'x-key': '=Key {{ $credentials.key }}' }, qs: { a: 'b' } },
			},
		});
		const execute = async function (this: IExecuteFunctions) {
			await this.helpers.httpRequestWithAuthentication.call(this, 'genericApi', { url });
			return [[]];
		};
		const node = defineNode({ execute }, { credentials: [{ name: 'genericApi' }] });
		await runNode({ node, items: [{ to: 'a' }], credential: { key: '={{ $json.to }}1' } });
		expect(received[0]).toMatchObject({ path: '/?a=b', headers: { 'x-key': 'Key a1' } });
	});

	it('reads the credential once when it is handed on', async () => {
		const { url, received } = await service();
		const run = await runNode({ node: sender({ url }, true), credential, items: [{}, {}, {}] });
		expect(run.credentialReads).toBe(1);
		expect(received.map(({ headers }) => headers['x-key'])).toEqual(Array(3).fill('Plain secret'));
	});

	it.each([
		[{}, 2, 'NodeApiError'],
		[{ ignoreHttpStatusErrors: true }, 1, undefined],
	])('repeats a request on 401 by itself, %j', async (options, requests, error) => {
		const { url, received } = await service((response) => response.writeHead(401).end('{}'));
		const run = await runNode({ node: sender({ url, ...options }), credential });
		expect(received).toHaveLength(requests);
		expect(run.error?.name).toBe(error);
	});

	it.each([
		[{}, 1],
		[{ disableFollowRedirect: true, ignoreHttpStatusErrors: true }, 0],
	])('takes the key along to another host, %j', async (options, requests) => {
		const foreign = await service();
		const { url } = await service((response) =>
			response.writeHead(307, { location: foreign.url }).end(),
		);
		const node = sender({ url, method: 'POST', body: { a: 1 }, ...options });
		const run = await runNode({ node, credential });
		expect(foreign.received.filter(({ headers }) => headers['x-key'])).toHaveLength(requests);
		expect(run.outputs[0]![0]!.json.statusCode).toBe(requests === 1 ? 200 : 307);
	});
});

describe('binary data', () => {
	const content = Buffer.alloc(300_000, 'audio');
	const upload = (url: string) =>
		defineAction(async function () {
			const file = this.helpers.assertBinaryData(0, 'data');
			const body = file.id
				? await this.helpers.getBinaryStream(file.id)
				: Readable.from([Buffer.from(file.data, 'base64')]);
			await this.helpers.httpRequestWithAuthentication.call(this, 'fixtureApi', {
				url,
				method: 'POST',
				body: body as never,
				disableFollowRedirect: true,
				headers: { 'content-type': 'audio/ogg', 'content-length': String(file.bytes) },
			});
			return [[{ json: { id: file.id, path: file.id && this.helpers.getBinaryPath(file.id) } }]];
		});

	it.each(['memory', 'filesystem'] as const)(
		'streams from %s, length announced',
		async (storage) => {
			const { url, received } = await service();
			const data = await storeBinary(content, { mimeType: 'audio/ogg', storage });
			const items = [{ json: {}, binary: { data } }];
			const { outputs, error } = await runNode({ node: upload(url), credential, items });
			expect(error).toBeUndefined();
			expect(received[0]!.body.equals(content)).toBe(true);
			expect(received[0]!.headers).toMatchObject({ 'content-length': '300000' });
			expect(received[0]!.headers).not.toHaveProperty('transfer-encoding');
			const { path } = outputs[0]![0]!.json;
			expect(path === undefined).toBe(storage === 'memory');
			if (path)
				expect(existsSync(path as string) && String(path).startsWith(userFolder)).toBe(true);
		},
	);
});

describe('cancelling', () => {
	it('aborts the request in flight and is seen by the node', async () => {
		const seen: string[] = [];
		const { url, received } = await service(() => {});
		const node = defineAction(async function () {
			this.onExecutionCancellation(() => seen.push('handler'));
			this.getExecutionCancelSignal()!.addEventListener('abort', () => seen.push('signal'));
			const send = this.helpers.httpRequestWithAuthentication.bind(this);
			await send('fixtureApi', { url }).catch((error: Error) => seen.push(error.message));
			throw new Error('stopped by hand');
		});
		const execution = await startNode({ node, credential });
		while (received.length === 0) await sleep(5);
		execution.cancel();
		const run = await execution.finished;
		expect(seen).toEqual(['handler', 'signal', 'canceled']);
		expect(run).toMatchObject({ status: 'canceled', outputs: [] });
	});
});

describe('deduplication', () => {
	const node = defineAction(async function (this: IExecuteFunctions) {
		const keys = this.getInputData().map(({ json }) => json.key as string);
		const { new: added } = await this.helpers.checkProcessedAndRecord(keys, 'node', {
			mode: 'entries',
		});
		return [added.map((key) => ({ json: { key } }))];
	});
	const fresh = async (keys: string[], workflowId?: string) => {
		const run = await runNode({ node, items: keys.map((key) => ({ key })), workflowId });
		return run.outputs[0]?.map(({ json }) => json.key);
	};
	beforeEach(() => deduplication.reset());

	it('knows a key again in a later run of the same node', async () => {
		expect(await fresh(['a', 'b'])).toEqual(['a', 'b']);
		expect(await fresh(['b', 'c'])).toEqual(['c']);
		expect(await fresh(['b', 'c'], 'workflow-2')).toEqual(['b', 'c']);
		expect(deduplication.calls.checkProcessedAndRecord).toBe(3);
	});

	it('loses entries of calls at the same time, as the database row does', async () => {
		await fresh(['a']);
		await Promise.all([fresh(['b']), fresh(['c'])]);
		expect(await fresh(['a', 'b', 'c'])).toHaveLength(1);
	});
});

describe('a webhook trigger', () => {
	const node = defineNode(
		{
			webhookMethods: {
				default: {
					checkExists: async function () {
						return this.getWorkflowStaticData('node').url === this.getNodeWebhookUrl('default');
					},
					create: async function () {
						this.getWorkflowStaticData('node').url = this.getNodeWebhookUrl('default');
						if (this.getNodeParameter('value') === 'fail') throw new Error('refused');
						return true;
					},
					delete: async function () {
						delete this.getWorkflowStaticData('node').url;
						return true;
					},
				},
			},
			webhook: async function () {
				const { secret } = this.getQueryData() as IDataObject;
				if (secret === 'throw') throw new Error('broken');
				if (secret !== '1') {
					this.getResponseObject().status(401).end();
					return { noWebhookResponse: true };
				}
				const json = { body: this.getBodyData(), ip: this.getRequestObject().ip };
				return { webhookResponse: '', workflowData: [[{ json }]] };
			},
		},
		{
			inputs: [],
			webhooks: [
				{ name: 'default', httpMethod: 'POST', path: 'webhook', responseData: '' as never },
			],
		},
	);
	const json = { 'content-type': 'application/json' };

	it('keeps static data between lifecycle calls, and drops it when one throws', async () => {
		const staticData: IDataObject = {};
		const options = { node, staticData };
		const { webhookUrl } = await runHook('create', options);
		expect(webhookUrl).toBe('http://localhost:5678/webhook/workflow-1-webhook/webhook');
		expect(staticData).toEqual({ 'node:Fixture': { url: webhookUrl } });
		expect((await runHook('checkExists', options)).result).toBe(true);
		const test = await runHook('checkExists', { ...options, isTest: true });
		expect(test).toMatchObject({ result: false, webhookUrl: expect.stringContaining('-test/') });
		await runHook('delete', options);
		const parameters = { value: 'fail' };
		await expect(runHook('create', { ...options, parameters })).rejects.toThrow('refused');
		expect(staticData).toEqual({ 'node:Fixture': {} });
	});

	it.each([
		['?secret=1', '{"a":1}', 200, '', { a: 1 }],
		['?secret=1', '', 200, '', undefined],
		['?secret=1', '{"a":', 422, '{"code":422,"message":"Failed to parse request body"}', null],
		['?secret=2', '{"a":1}', 401, '', null],
	])('answers %s with body %s', async (search, body, status, text, received) => {
		const delivery = await runWebhook({ node }, { search, headers: json, body });
		expect(delivery).toMatchObject({ status, body: text });
		const started =
			received === null ? undefined : [[{ json: { body: received, ip: '127.0.0.1' } }]];
		expect(delivery.started).toEqual(started);
	});

	it('answers 500 when the node throws', async () => {
		const delivery = await runWebhook({ node }, { search: '?secret=throw' });
		expect(delivery).toMatchObject({ status: 500, error: { message: 'broken' } });
	});

	it('sees the client behind a proxy as n8n is configured to', async () => {
		const headers = { ...json, 'x-forwarded-for': '10.0.0.1, 203.0.113.7' };
		const options = { node, proxyHops: 1 };
		const { started } = await runWebhook(options, { search: '?secret=1', headers });
		expect(started![0]![0]!.json.ip).toBe('203.0.113.7');
	});

	it('serves many deliveries at the URL that `create` registers', async () => {
		const server = await startWebhook({ node });
		const { webhookUrl } = await runHook('create', { node, instanceUrl: server.instanceUrl });
		await Promise.all([1, 2].map(() => fetch(`${webhookUrl}?secret=1`, { method: 'POST' })));
		expect(await server.deliveries()).toHaveLength(2);
		expect((await fetch(`${webhookUrl}/other`, { method: 'POST' })).status).toBe(404);
		await server.close();
	});
});

describe('a trigger function', () => {
	it('runs, ticks and closes', async () => {
		const closed = jest.fn();
		const node = defineNode({
			async trigger() {
				this.helpers.registerCron({ expression: '0 */5 * * * *' }, async () => {
					await sleep(1);
					this.emit([[{ json: { mode: this.getActivationMode() } }]]);
				});
				return { closeFunction: async () => closed() };
			},
		});
		const trigger = await runTrigger({ node, activationMode: 'init' });
		expect(trigger.crons).toEqual(['0 */5 * * * *']);
		await trigger.tick();
		expect(trigger.emitted).toEqual([[[{ json: { mode: 'init' } }]]]);
		await trigger.close();
		expect(closed).toHaveBeenCalledTimes(1);
	});

	it('is told where n8n refuses a job, as long as the same one is open', async () => {
		const node = defineNode({
			async trigger() {
				this.helpers.registerCron({ expression: '0 0 0 1 1 *' }, () => {});
				return {};
			},
		});
		const first = await runTrigger({ node });
		await expect(runTrigger({ node })).rejects.toThrow('already');
		await first.close();
		await (await runTrigger({ node })).close();
	});
});

describe('a resource locator', () => {
	it('lists what the search method finds', async () => {
		const node = defineNode({
			methods: {
				listSearch: {
					async searchKeys(filter) {
						const { key } = await this.getCredentials('fixtureApi');
						return { results: [{ name: `${filter} ${String(key)}`, value: 1 }] };
					},
				},
			},
		});
		const { results } = await runListSearch('searchKeys', 'needle', { node, credential });
		expect(results).toEqual([{ name: 'needle secret', value: 1 }]);
	});
});
