import fc from 'fast-check';
import { WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { runWebhook, startWebhook, type WebhookServer } from '../harness';
import { prepare } from '../harness/workflow';
import { TriggerWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
/** What stands after the webhook's address once it is registered. */
let search: string;
let secret: string;
beforeEach(async () => {
	workflow = new TriggerWorkflow(sandbox());
	await workflow.publish();
	({ search } = new URL(sandbox().webhook.url!));
	secret = search.slice('?token='.length);
});

interface Request {
	body?: string;
	type?: string;
	headers?: Record<string, string>;
	search?: string;
}

async function deliver(request: Request = {}, options: INodeParameters = {}, proxyHops = 0) {
	workflow.options.options = options;
	const { body = '{"messageId":"m-1"}', type = 'application/json' } = request;
	return await runWebhook(
		{ ...workflow.prepare(false), proxyHops },
		{
			search: request.search ?? search,
			headers: { 'content-type': type, ...request.headers },
			body,
		},
	);
}

const jsonOf = ({ started }: Awaited<ReturnType<typeof deliver>>) =>
	started?.[0]?.map(({ json }) => json);

describe('the secret', () => {
	it('lets a delivery in', async () => {
		const delivery = await deliver();
		expect(delivery).toMatchObject({ status: 200, body: '' });
		expect(jsonOf(delivery)).toEqual([{ messageId: 'm-1', _gateway: { messageId: 'm-1' } }]);
		expect(delivery.credentialReads).toBe(0);
	});

	it.each<[string, () => string]>([
		['missing', () => ''],
		['empty', () => '?token='],
		['wrong', () => `?token=${'0'.repeat(64)}`],
		['cut short', () => search.slice(0, -1)],
		['longer', () => `${search}0`],
		['in capitals', () => `?token=${secret.toUpperCase().replace(/\d/g, 'A')}`],
		['given twice', () => `${search}&token=${secret}`],
		['under another name', () => search.replace('token', 'Token')],
	])('%s: 401 and nothing else', async (_, given) => {
		const delivery = await deliver({ search: given() });
		expect(delivery).toMatchObject({ status: 401, body: '' });
		expect(delivery.started).toBeUndefined();
		expect(delivery.logs.join()).not.toContain(secret);
	});

	it('is wrong while the workflow is not published, and right again after that', async () => {
		await workflow.unpublish();
		expect((await deliver()).status).toBe(401);
		await workflow.publish();
		expect((await deliver()).status).toBe(200);
	});

	it('outlives an execution that writes back what n8n had stored when it began', async () => {
		const stored = structuredClone(workflow.staticData);
		await workflow.unpublish();
		await workflow.publish();
		workflow.staticData = stored;
		({ search } = new URL(sandbox().webhook.url!));
		expect((await deliver()).status).toBe(200);
	});

	it('of a test is wrong in production, and the other way round', async () => {
		await workflow.listen();
		const test = new URL(sandbox().webhook.url!).search;
		expect((await deliver({ search: test })).status).toBe(401);
		const inTest = async (given: string) =>
			await runWebhook({ ...workflow.prepare(true) }, { search: given, body: 'hello' });
		expect((await inTest(search)).status).toBe(401);
		const delivery = await inTest(test);
		expect(jsonOf(delivery)).toEqual([{ raw: 'hello', _gateway: {} }]);
	});

	it('appears nowhere in the output', async () => {
		const url = sandbox().webhook.url!;
		const delivery = await deliver(
			{
				body: JSON.stringify({ webhook: url, [`key ${secret}`]: [secret] }),
				headers: { 'x-original-url': url, referer: url },
			},
			{ includeHeaders: true },
		);
		const output = JSON.stringify(delivery.started);
		expect(output).not.toContain(secret);
		expect(output).toContain('token=***');
		expect(delivery.logs.join()).not.toContain(secret);
	});
});

describe('what arrives', () => {
	it.each<[string, string, string, IDataObject[]]>([
		['an object', 'application/json', '{"a":{"b":[1]}}', [{ a: { b: [1] } }]],
		['with a charset', 'application/json; charset=utf-8', '{"a":1}', [{ a: 1 }]],
		['a list', 'application/json', '[{"a":1},{"b":2}]', [{ a: 1 }, { b: 2 }]],
		[
			'a mixed list',
			'application/json',
			'[1,null,["x"]]',
			[{ raw: 1 }, { raw: null }, { raw: ['x'] }],
		],
		['an empty list', 'application/json', '[]', [{ raw: [] }]],
		['a number', 'application/json', '5', [{ raw: 5 }]],
		['null', 'application/json', 'null', [{ raw: null }]],
		['nothing', 'application/json', '', [{ raw: '' }]],
		['text', 'text/plain', 'olá', [{ raw: 'olá' }]],
		['a form', 'application/x-www-form-urlencoded', 'a=1&b=2', [{ raw: { a: '1', b: '2' } }]],
		['JSON of another type', 'application/problem+json', '{"a":1}', [{ raw: '{"a":1}' }]],
	])('%s', async (_, type, body, objects) => {
		const delivery = await deliver({ type, body });
		expect(delivery).toMatchObject({ status: 200, body: '' });
		expect(jsonOf(delivery)).toEqual(objects.map((object) => ({ ...object, _gateway: {} })));
	});

	it('is refused by n8n itself when it is broken JSON', async () => {
		const delivery = await deliver({ body: '{"a":' });
		expect(delivery.status).toBe(422);
		expect(delivery.started).toBeUndefined();
	});

	it('recognises what the interface names', async () => {
		const body = JSON.stringify([
			{ messageId: 'a', campaignId: 'c', to: '55', status: 'sent' },
			{ message_id: 'b', statusmessage: 'pending', status: 200, _gateway: 'forged' },
		]);
		expect(jsonOf(await deliver({ body }))!.map(({ _gateway }) => _gateway)).toEqual([
			{ messageId: 'a', campaignId: 'c', to: '55', status: 'sent' },
			{ messageId: 'b', status: 'pending' },
		]);
	});

	it('recognises it in a form as well, but not in a field that is called raw', async () => {
		const type = 'application/x-www-form-urlencoded';
		const raw = { message_id: 'a', status: 'sent' };
		expect(jsonOf(await deliver({ type, body: 'message_id=a&status=sent' }))).toEqual([
			{ raw, _gateway: { messageId: 'a', status: 'sent' } },
		]);
		expect(jsonOf(await deliver({ body: JSON.stringify({ raw }) }))).toEqual([
			{ raw, _gateway: {} },
		]);
	});

	it('comes with its headers when they are wanted', async () => {
		const request = { headers: { 'x-event': 'status' } };
		const [json] = jsonOf(await deliver(request, { includeHeaders: true }))!;
		expect(json!._gateway).toMatchObject({ messageId: 'm-1', headers: { 'x-event': 'status' } });
		expect(jsonOf(await deliver(request))![0]!._gateway).not.toHaveProperty('headers');
	});
});

describe('match', () => {
	const options = (...conditions: Array<[string, string]>): INodeParameters => ({
		match: { conditions: conditions.map(([field, value]) => ({ field, value })) },
	});

	it('answers a delivery that does not match, and starts nothing', async () => {
		const delivery = await deliver({}, options(['messageId', 'other']));
		expect(delivery).toMatchObject({ status: 200, body: '' });
		expect(delivery.started).toBeUndefined();
	});

	it.each<[string, string, boolean]>([
		['status', 'delivered', true],
		['raw.status', 'delivered', true],
		['status', 'sent', false],
	])('looks into a form: %s = %s is %s', async (field, value, expected) => {
		const form = { type: 'application/x-www-form-urlencoded', body: 'status=delivered&to=55' };
		const delivery = await deliver(form, options([field, value]));
		expect(delivery).toMatchObject({ status: 200, body: '' });
		expect(delivery.started !== undefined).toBe(expected);
	});

	it('keeps those of a list that match', async () => {
		const body = JSON.stringify([
			{ id: 1, data: { ok: true } },
			{ id: 2, data: { ok: false } },
		]);
		const delivery = await deliver({ body }, options(['data.ok', 'true'], ['', '']));
		expect(jsonOf(delivery)!.map(({ id }) => id)).toEqual([1]);
	});
});

describe('allowed IPs', () => {
	it.each([
		['127.0.0.1', 0, 200],
		['10.0.0.0/8, 127.0.0.0/8', 0, 200],
		['={{ ["127.0.0.1", "10.0.0.1"] }}', 0, 200],
		['203.0.113.7', 0, 403],
		['203.0.113.7', 1, 200],
		['127.0.0.1', 1, 403],
		['10.9.9.9', 1, 403], // what the client itself claims
		['nonsense', 0, 403],
		[' , ', 0, 200],
	])('%s behind %i proxies: %i', async (allowedIps, proxyHops, status) => {
		const headers = { 'x-forwarded-for': '10.9.9.9, 203.0.113.7' };
		const delivery = await deliver({ headers }, { allowedIps }, proxyHops);
		expect(delivery).toMatchObject({ status, body: '' });
		expect(delivery.started === undefined).toBe(status === 403);
	});

	it('are told to nobody without the secret', async () => {
		expect((await deliver({ search: '' }, { allowedIps: '203.0.113.7' })).status).toBe(401);
	});
});

describe('any delivery', () => {
	let server: WebhookServer;
	let url: string;
	beforeEach(async () => {
		server = await startWebhook(workflow.prepare(false));
		url = server.url + search;
	});
	afterEach(async () => await server.close());

	it('that is JSON arrives as it came', async () => {
		let count = 0;
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), async (value) => {
				const sent = JSON.parse(JSON.stringify(value)) as unknown;
				const headers = { 'content-type': 'application/json' };
				const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(sent) });
				expect(response.status).toBe(200);
				expect(await response.text()).toBe('');
				const { started } = (await server.deliveries())[count++]!;
				const objects = started![0]!.map(({ json: { _gateway, ...json } }) => {
					expect(typeof _gateway).toBe('object');
					return json;
				});
				expect(objects.map(unwrap)).toEqual(
					(Array.isArray(sent) && sent.length > 0 ? sent : [sent]).map(withoutOurs),
				);
			}),
			{ numRuns: 200 },
		);
	});

	it('at once with others is answered once and starts once', async () => {
		const ids = Array.from({ length: 200 }, (_, index) => String(index));
		const statuses = await Promise.all(
			ids.map(async (messageId) => {
				const headers = { 'content-type': 'application/json' };
				const body = JSON.stringify({ messageId });
				return (await fetch(url, { method: 'POST', headers, body })).status;
			}),
		);
		expect(new Set(statuses)).toEqual(new Set([200]));
		const started = (await server.deliveries()).map(
			(delivery) => delivery.started![0]![0]!.json.messageId as string,
		);
		expect(started.sort()).toEqual([...ids].sort());
	});
});

const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A delivery that was no object is compared by what stands under `raw`. */
const unwrap = (json: IDataObject): unknown =>
	Object.keys(json).length === 1 && 'raw' in json && !isObject(json.raw) ? json.raw : json;

const withoutOurs = (value: unknown): unknown => {
	if (!isObject(value)) return value;
	const { _gateway, ...rest } = value as IDataObject;
	void _gateway;
	return unwrap(rest);
};

/** n8n runs a test with the delivery as data of the trigger, in mode `manual`. */
it.each(['manual', 'webhook'] as const)(
	'an execution in mode %s has the delivery',
	async (mode) => {
		const options = workflow.prepare(false);
		const { workflow: engineWorkflow, node, additionalData } = await prepare(options, mode);
		const items = [{ json: { messageId: 'm-1' } }, { json: { messageId: 'm-2' } }];
		const execution = new WorkflowExecute(
			additionalData,
			mode,
			createRunExecutionData({
				executionData: {
					nodeExecutionStack: [{ node, data: { main: [items] }, source: null }],
				},
			}),
		);
		const { data, status } = await execution.processRunExecutionData(engineWorkflow);
		expect(status).toBe('success');
		const [output] = data.resultData.runData[node.name]![0]!.data!.main!;
		expect(output!.map(({ json }) => json)).toEqual(items.map(({ json }) => json));
	},
);
