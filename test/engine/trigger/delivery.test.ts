import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { SEEDS } from '../../../tools/sandbox';
import { runWebhook } from '../harness';
import { prepare } from '../harness/workflow';
import { forgetAll, later, secretIn, TriggerWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
/** The query of the registered URL. */
let search: string;
let secret: string;
beforeEach(async () => {
	workflow = new TriggerWorkflow(sandbox());
	await workflow.publish();
	({ search } = new URL(sandbox().webhook.url!));
	secret = secretIn(search);
});

interface Request {
	body?: string | Buffer<ArrayBuffer>;
	type?: string;
	headers?: Record<string, string>;
	search?: string;
}

async function deliver(request: Request = {}, options: INodeParameters = {}, proxyHops = 0) {
	workflow.options.options = options;
	const { body = '{"messageId":"m-1"}', type = 'application/json' } = request;
	const contentType = type ? { 'content-type': type } : undefined;
	return await runWebhook(
		{ ...workflow.prepare(false), proxyHops },
		{
			search: request.search ?? search,
			headers: { ...contentType, ...request.headers },
			// fetch adds a content type to a string
			body: type ? body : Buffer.from(body),
		},
	);
}

/** That a delivery was answered with this status, and nothing else happened. */
function expectNothing(
	{ status, body, started, error }: Awaited<ReturnType<typeof deliver>>,
	expected: number,
) {
	expect([status, body, started, error]).toEqual([expected, '', undefined, undefined]);
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
		['wrong', () => `?mgt=v1.p.dw.${'0'.repeat(43)}`],
		['with one other character', () => search.replace(/.$/, (sign) => (sign === 'A' ? 'B' : 'A'))],
		['given twice', () => `${search}&mgt=v1.p.dw.${secret}`],
		['under another name', () => search.replace('mgt', 'Mgt')],
		['as that of a test', () => search.replace('.p.', '.tmwqrquq2.')],
	])('%s: 401 and nothing else', async (_, given) => {
		const delivery = await deliver({ search: given() });
		expectNothing(delivery, 401);
		expect(delivery.logs).toEqual([
			expect.stringMatching(/^debug: Answered a delivery with 401: (no|wrong) secret in 'mgt'/),
		]);
		expect(delivery.logs.join()).not.toContain(secret);
	});

	it('is valid even if static data is lost', async () => {
		await workflow.unpublish();
		const emptied = structuredClone(workflow.staticData);
		await workflow.publish();
		const forged = { 'node:Messaging Gateway Trigger': { webhook: { v: 1, digest: 'x' } } };
		for (const copy of [{}, emptied, forged]) {
			forgetAll(); // as in a process that did not register it
			workflow.staticData = copy as IDataObject;
			expect(await deliver()).toMatchObject({ status: 200, credentialReads: 1 });
			expect((await deliver({ search: `?mgt=v1.p.dw.${'0'.repeat(43)}` })).status).toBe(401);
			expect(workflow.staticData).toEqual(copy); // n8n would write all of it, from an old copy
		}
	});

	it('of an earlier API key works until n8n has stored the new one', async () => {
		const stored = structuredClone(workflow.staticData);
		workflow.options.credential = { apiKey: SEEDS.apiKeys[1]!.key };
		expect((await deliver()).status).toBe(200);
		const watch = await workflow.watch();
		await watch.tick();
		await watch.close();
		const { search: renewed } = new URL(sandbox().webhook.url!);
		expect(renewed).not.toBe(search);

		workflow.staticData = stored; // n8n does not store what the watch has changed
		for (const process of [() => {}, forgetAll]) {
			process();
			expect(await deliver({ search: renewed })).toMatchObject({ status: 200, credentialReads: 1 });
			expect(await deliver()).toMatchObject({ status: 200, credentialReads: 0 }); // it was under way
		}
		await workflow.restart();
		expect(await deliver({ search: renewed })).toMatchObject({ status: 200, credentialReads: 0 });
		expect((await deliver()).status).toBe(401);
	});

	it('cannot be checked while the credential cannot be read: 500, without an execution', async () => {
		workflow.staticData = {};
		forgetAll();
		const delivery = await runWebhook(
			{ ...workflow.prepare(false), credential: undefined },
			{ search },
		);
		expectNothing(delivery, 500);
		expect(delivery.logs.join()).toContain('the credential cannot be read');
	});

	it('of a test is wrong in production, and the other way round', async () => {
		await workflow.listen();
		const test = new URL(sandbox().webhook.url!).search;
		expect((await deliver({ search: test })).status).toBe(401);
		const inTest = async (given: string) =>
			await runWebhook(workflow.prepare(true), { search: given, body: 'hello' });
		expect((await inTest(search)).status).toBe(401);
		expect(jsonOf(await inTest(test))).toEqual([{ raw: 'hello', _gateway: {} }]);
		expect((await later(200_000, async () => await inTest(test))).status).toBe(401);
		expect(await later(61_000, deliver)).toMatchObject({ status: 200, credentialReads: 0 });

		const until = `.t${(Date.now() + 1e9).toString(36)}`;
		for (const longer of [test.replace(/\.t\w+/, until), search.replace('.p', until)])
			expect((await inTest(longer)).status).toBe(401); // nobody can prolong a test
	});

	it('appears nowhere in the output', async () => {
		const url = sandbox().webhook.url!;
		const delivery = await deliver(
			{
				search: new URL(url).search,
				body: JSON.stringify({ webhook: url, [`key ${secret}`]: [secret] }),
				headers: { 'x-original-url': url, referer: url },
			},
			{ includeHeaders: true },
		);
		const output = JSON.stringify(delivery.started);
		expect(output).not.toContain(secret);
		expect(output).toContain('webhook?mgt=***"');
		expect(delivery.logs.join()).not.toContain(secret);
	});
});

describe('a delivery while the webhook is being registered', () => {
	/** Does something while the URL is on its way to the service. */
	async function meanwhile<T>(act: () => Promise<unknown>, during: () => Promise<T>): Promise<T> {
		sandbox().webhook = { url: null, enabled: null };
		const results: T[] = [];
		workflow.options.onRequest = async ({ method, body }) => {
			if (method !== 'POST') return;
			({ search } = new URL((body as { url: string }).url));
			results.push(await during());
		};
		await act();
		workflow.options.onRequest = undefined;
		expect(results).toHaveLength(1);
		return results[0]!;
	}

	const publish = async () => await workflow.publish();
	const listen = async () => await workflow.listen();
	/** As some services do before they take a URL. */
	const challenge = async (isTest: boolean) =>
		await runWebhook(workflow.prepare(isTest), { search, body: 'challenge' });

	it.each([
		['publishing', publish, false],
		['listening', listen, true],
	] as const)('starts nothing: %s', async (_, act, isTest) => {
		expectNothing(await meanwhile(act, async () => await challenge(isTest)), 200);
		expect((await deliver({ search: '?mgt=x' })).status).toBe(401);
		expect(jsonOf(await challenge(isTest))).toHaveLength(1);
	});

	it('starts the workflow when that is published already', async () => {
		const repair = async () => await workflow.restart();
		expect(jsonOf(await meanwhile(repair, async () => await challenge(false)))).toHaveLength(1);
	});

	it('starts the published workflow while one listens for a test', async () => {
		const production = { search };
		expect(jsonOf(await meanwhile(listen, async () => await deliver(production)))).toHaveLength(1);
	});
});

describe('what arrives', () => {
	const json = 'application/json';
	const text = 'text/plain';
	const bytes = 'application/octet-stream';
	const form = 'application/x-www-form-urlencoded';
	const filled = 'payload=%7B%22a%22%3A1%7D&x=[5&y=[]&y=5&n=5';

	it.each<[string, string, string, IDataObject[]]>([
		['an object', json, '{"a":{"b":[1]}}', [{ a: { b: [1] } }]],
		['with a space behind its type', `${json} ; charset=utf-8`, '{"a":1}', [{ a: 1 }]],
		['a list', json, '[{"a":1},{"b":2}]', [{ a: 1 }, { b: 2 }]],
		['a mixed list', json, '[1,null,["x"]]', [{ raw: 1 }, { raw: null }, { raw: ['x'] }]],
		['a number', json, '5', [{ raw: 5 }]],
		['what looks like ours', json, '{"a":1,"_gateway":"forged"}', [{ a: 1 }]],
		['a number that would be rounded', json, '12345678901234567', [{ raw: '12345678901234567' }]],
		['a number too large for JavaScript', json, '{"a":1e999}', [{ a: Infinity }]],
		['null', json, 'null', [{ raw: null }]],
		['nothing', json, '', [{ raw: '' }]],
		['text', text, 'olá', [{ raw: 'olá' }]],
		['a form', form, 'a=1&b=2', [{ raw: { a: '1', b: '2' } }]],
		['JSON of another type', 'application/vnd.api+json', '{"a":1}', [{ a: 1 }]],
		['JSON as bytes', bytes, '[{"a":1},{"b":2}]', [{ a: 1 }, { b: 2 }]],
		['JSON as text', text, ' {"a":1}\n', [{ a: 1 }]],
		['JSON of an unknown charset', `${bytes}; charset=odd`, '{"a":1}', [{ a: 1 }]],
		['JSON with a byte order mark', text, '\ufeff{"a":1}', [{ a: 1 }]],
		['JSON as a form', form, '{"a":"b=c&d"}', [{ a: 'b=c&d' }]],
		['almost JSON as text', text, '{"a":', [{ raw: '{"a":' }]],
		['JSON in JSON', json, '"{\\"a\\":1}"', [{ a: 1 }]],
		['JSON in each line', text, '{"a":1}\n{}', [{ raw: '{"a":1}\n{}' }]],
		['JSON in one field', form, 'payload=%7B%22a%22%3A1%7D', [{ a: 1 }]],
		['a list in one field', form, 'events=[{"a":1},{"b":2},3]', [{ a: 1 }, { b: 2 }, { raw: 3 }]],
		['one field twice, JSON', form, 'event={"a":1}&event=[{"b":2}]', [{ a: 1 }, { b: 2 }]],
		['one field twice, text', form, 'event={"a":1}&event=b', [{ raw: { event: [{ a: 1 }, 'b'] } }]],
		['JSON in percent-encoding', form, encodeURIComponent('{"a":"b=c&d"}'), [{ a: 'b=c&d' }]],
		['a list in percent-encoding', form, encodeURIComponent('[{"a":1},2]'), [{ a: 1 }, { raw: 2 }]],
		['one field without a value', form, 'a=', [{ raw: { a: '' } }]],
		[
			'JSON in a form',
			form,
			filled,
			[{ raw: { payload: { a: 1 }, x: '[5', y: [[], '5'], n: '5' } }],
		],
	])('%s', async (_, type, body, objects) => {
		const delivery = await deliver({ type, body });
		expect(delivery).toMatchObject({ status: 200, body: '' });
		expect(jsonOf(delivery)).toEqual(objects.map((object) => ({ ...object, _gateway: {} })));
	});

	it.each([
		[json, '[]'],
		[text, ' [ ]\n'],
		[form, 'events=[]'],
	])('starts nothing when it is a list without notifications: %s', async (type, body) => {
		expectNothing(await deliver({ type, body }), 200);
	});

	it.each([
		...[json, text, bytes, '', `${json}; charset=latin1`, `${json}; charset=utf-8`],
		...[`${json}; charset=utf16le`, `${text}; charset=latin1`, `${text}; charset=utf16le`],
		'application/vnd.api+json; charset=utf16le',
	])('numbers that would be rounded arrive as text, and text as it was, as %j', async (type) => {
		const [messageId, to] = ['12345678901234567890', 5511912345678];
		const sent = `[{"messageId":${messageId},"to":${to},"text":"não 90071992547409931"}]`;
		const [, charset = 'utf-8'] = type.split('charset=');
		expect(jsonOf(await deliver({ type, body: Buffer.from(sent, charset as 'utf-8') }))).toEqual([
			{ messageId, to, text: 'não 90071992547409931', _gateway: { messageId, to: `+${to}` } },
		]);
	});

	it.each<[string, string | undefined, number]>([
		['11 91234-5678', '+5511912345678', 1],
		['351912345678', undefined, 1],
		['', undefined, 0],
	])("the sender %j is %j, by the account's country", async (from, expected, credentialReads) => {
		const delivery = await deliver({ body: JSON.stringify({ from }) });
		const _gateway = expected ? { from: expected } : {};
		expect(jsonOf(delivery)).toEqual([{ from, _gateway }]);
		expect(delivery.credentialReads).toBe(credentialReads);
	});

	it('a delivery is not lost where the country is not to be had', async () => {
		workflow.options.credential = { defaultCountryCode: 'Atlantis' };
		const sent = [{ from: '11 91234-5678' }, { from: '+351912345678' }];
		const gateways = jsonOf(await deliver({ body: JSON.stringify(sent) }))!.map(
			(each) => each._gateway,
		);
		expect(gateways).toEqual([{}, { from: '+351912345678' }]);
	});

	const list = (length: number) => JSON.stringify(Array(length).fill(1));
	const headers = { 'content-encoding': 'gzip' };

	it.each<[string, Request, number, string]>([
		['too many notifications', { body: list(10_001) }, 413, 'more than 10000 notifications'],
		['larger than n8n takes', { type: bytes, body: 'x'.repeat(17 * 1024 * 1024) }, 413, ''],
		['not compressed as it says', { type: bytes, headers, body: 'no gzip' }, 400, ''],
		['a list nested too deeply', { body: '['.repeat(1e5) + ']'.repeat(1e5) }, 413, 'nested too'],
		['nested too deeply', { body: '{"a":'.repeat(1e5) + 1 + '}'.repeat(1e5) }, 413, 'nested too'],
	])('is refused when it is %s', async (_, request, status, reason) => {
		const delivery = await deliver(request, { match: { conditions: [] } });
		expectNothing(delivery, status);
		expect(delivery.logs.join()).toContain(`${status}: ${reason}`);
	});

	it('is taken when it is 10,000 notifications, or compressed', async () => {
		expect((await deliver({ body: list(10_000) })).started![0]).toHaveLength(10_000);
		const body = gzipSync('{"a":1}') as Buffer<ArrayBuffer>;
		expect(jsonOf(await deliver({ type: bytes, headers, body }))).toEqual([{ a: 1, _gateway: {} }]);
	});

	it.each([
		[json, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'],
		[text, '[{"__proto__":{"polluted":1}}]'],
		[form, '__proto__[polluted]=1&constructor[prototype][polluted]=1'],
	])('changes no prototype: %s %s', async (type, body) => {
		const options = { match: { conditions: [{ field: '__proto__.polluted', value: '1' }] } };
		expect((await deliver({ type, body }, options)).status).toBe(200);
		expect(jsonOf(await deliver({ type, body }))).toHaveLength(1);
		expect('polluted' in {}).toBe(false);
	});

	const forged = { messageId: 'forged', to: '+5511900000000', status: 'delivered' };

	it.each([
		['an SMS', `from=%2B551199&text=${encodeURIComponent(JSON.stringify(forged))}`],
		['an SMS that comes first', `text=${encodeURIComponent(JSON.stringify(forged))}&from=`],
		['an SMS with a list', `from=1&text=${encodeURIComponent(JSON.stringify([forged]))}`],
		['an SMS beside fields', `status=sent&text=${encodeURIComponent(JSON.stringify(forged))}`],
	])('cannot be forged by %s in a form', async (_, body) => {
		const match = { conditions: [{ field: 'status', value: 'delivered' }] };
		expectNothing(await deliver({ type: form, body }, { match }), 200);
		const { messageId, to, status } = jsonOf(await deliver({ type: form, body }))![0]!
			._gateway as IDataObject;
		expect([messageId, to, status === 'delivered']).toEqual([undefined, undefined, false]);
	});

	it.each([
		['status', 'events=[{"status":"sent"},{"status":"delivered","n":2}]'],
		['status', encodeURIComponent('[{"status":"sent"},{"status":"delivered","n":2}]')],
		['status', encodeURIComponent('{"status":"delivered","n":2}')],
		['raw.payload.status', 'payload={"status":"delivered"}&n=2'],
		['payload.status', 'payload={"status":"delivered"}&n=2'],
	])('matches by %s: %s', async (field, body) => {
		const match = { conditions: [{ field, value: 'delivered' }] };
		expect(jsonOf(await deliver({ type: form, body }, { match }))).toHaveLength(1);
	});

	it('is what matches, with the headers on the first of it where they are wanted', async () => {
		const match = { conditions: [{ field: 'data.ok', value: 'true' }] };
		const body = JSON.stringify([false, true, true].map((ok) => ({ messageId: 1, data: { ok } })));
		const request = { headers: { 'x-event': 'status' }, body };
		const found = { messageId: 1, data: { ok: true }, _gateway: { messageId: 1 } };
		expect(jsonOf(await deliver(request, { match }))).toEqual([found, found]);
		const [first, second] = jsonOf(await deliver(request, { match, includeHeaders: true }))!;
		expect(first).toMatchObject({ ...found, _gateway: { headers: { 'x-event': 'status' } } });
		expect(second).toEqual(found);
	});
});

describe('a form with parts of a type', () => {
	type Part = [head: string, content: string];
	const form = (...parts: Part[]) => ({
		type: 'multipart/form-data; boundary=b',
		body:
			parts
				.map(([head, text]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`)
				.join('') + '--b--\r\n',
	});
	const typed = (name: string, type: string, content: string): Part => [
		`name=${name}\r\nContent-Type: ${type}`,
		content,
	];
	const file = (name: string, fileName: string, content: string) =>
		typed(`"${name}"; filename="${fileName}"`, 'image/png', content);
	const status = typed('status', 'text/plain; charset=utf-8', 'delivered');
	const photo = file('photo', 'photo.png', '1234567');
	const temporary = () => readdirSync(tmpdir()).filter((name) => /^[\da-f-]{36}$/.test(name));

	let copy: jest.SpyInstance;
	beforeEach(() => (copy = jest.spyOn(Container.get(BinaryDataService), 'copyBinaryFile')));
	afterEach(() => {
		Container.get(BinaryDataConfig).mode = 'default';
	});

	it.each(['default', 'filesystem'] as const)('has them as fields: %s', async (mode) => {
		Container.get(BinaryDataConfig).mode = mode;
		await Container.get(BinaryDataService).init();
		const json = '{"messageId":12345678901234567890}';
		const request = form(
			['name="to"', '5511912345678'],
			status,
			typed('"payload"', 'application/json; charset=utf-8', json),
			typed('text', 'text/plain; charset="iso-8859-1"', 'n\u00e3o'),
			typed('odd', 'text/plain; charset=odd', 'odd'),
			typed('word', 'application/json', '"sent"'),
			typed('to', 'application/problem+json', '[1]'),
			typed('[]', 'image/png', 'x'),
		);
		const body = Buffer.from(request.body, 'latin1');
		const before = temporary();
		const delivery = await deliver({ ...request, body });
		expect(jsonOf(delivery)).toEqual([
			{
				raw: {
					to: ['5511912345678', [1]],
					status: 'delivered',
					payload: { messageId: '12345678901234567890' },
					...{ text: 'n\u00e3o', odd: 'odd', word: 'sent' },
				},
				_gateway: { status: 'delivered' },
			},
		]);
		expect(temporary()).toEqual(before);
	});

	it('has files as binary data, as n8n’s Webhook node names them', async () => {
		const many = [file('a[]', '1.png', 'one'), file('a[]', '', 'two'), file('', 'x.png', 'three')];
		const delivery = await deliver(form(photo, ...many, status));
		expect(copy).toHaveBeenCalledTimes(5); // a second copy would stay when n8n deletes the execution
		const { binary } = delivery.started![0]![0]!;
		expect(Object.keys(binary!)).toEqual(['photo', 'a0', 'a1', 'data3', 'status']);
		expect(binary).toMatchObject({
			photo: { fileName: 'photo.png', mimeType: 'image/png', fileSize: '7 B' },
			a1: { fileSize: '3 B' },
		});
		expect(jsonOf(delivery)).toEqual([
			{ raw: { status: 'delivered' }, _gateway: { status: 'delivered' } },
		]);
	});

	it('loses none whose names meet', async () => {
		const photo = (name: string, content: string) => file(name, 'photo.png', content);
		const photos = [photo('photo', '1'), photo('photo', '12'), photo('photo1', '123')];
		const delivery = await deliver(form(...photos, typed('constructor', 'text/plain', 'x')));
		const binary = Object.entries(delivery.started![0]![0]!.binary!);
		const sizes = { photo0: '1 B', photo1: '2 B', data2: '3 B', data3: '1 B' };
		expect(binary.map(([name, { fileSize }]) => [name, fileSize])).toEqual(Object.entries(sizes));
		expect(jsonOf(delivery)![0]!.raw).toEqual({ constructor: 'x' });
	});

	it('matches by them', async () => {
		const payload = typed('payload', 'application/json', '{"data":{"ok":true}}');
		const match = (field: string) => ({ match: { conditions: [{ field, value: 'true' }] } });
		for (const field of ['payload.data.ok', 'raw.payload.data.ok'])
			expect(jsonOf(await deliver(form(payload, status), match(field)))).toHaveLength(1);
		const delivery = await deliver(form(payload, photo), match('data.ok'));
		expect(jsonOf(delivery)).toEqual([{ data: { ok: true }, _gateway: {} }]);
		expect(Object.keys(delivery.started![0]![0]!.binary!)).toEqual(['payload', 'photo']);
		expectNothing(await deliver(form(payload, status), match('data.ok')), 200);
		expectNothing(await deliver(form(payload, ['name="text"', 'x']), match('data.ok')), 200);
	});

	it('is not stored where it starts nothing', async () => {
		const match = { conditions: [{ field: 'status', value: 'sent' }] };
		const request = form(photo, ['name="status"', 'delivered']);
		expectNothing(await deliver({ ...request, search: '' }), 401);
		expectNothing(await deliver(request, { allowedIps: '203.0.113.7' }), 403);
		expectNothing(await deliver(request, { match }), 200);
		expect(copy).not.toHaveBeenCalled();
		expect((await deliver(request)).started).toHaveLength(1);
		expect(copy).toHaveBeenCalledTimes(1);
	});

	it.each([
		['status', 'delivered', 0],
		['_gateway.status', 'delivered', 0],
		[' a.b ', 'x', 1],
		['_gateway.messageId', 'm', 1],
	])('is stored only as far as Match names it: %s', async (field, value, copies) => {
		const parts = [typed('a.b', 'text/plain', 'x'), typed('message_id', 'text/plain', 'm')];
		const request = form(['name="status"', 'delivered'], photo, ...parts);
		const match = (wanted: string) => ({ match: { conditions: [{ field, value: wanted }] } });
		expectNothing(await deliver(request, match('sent')), 200);
		expect(copy).toHaveBeenCalledTimes(copies);
		const delivery = await deliver(request, match(value));
		expect(jsonOf(delivery)).toMatchObject([{ raw: { 'a.b': 'x', message_id: 'm' } }]);
		expect(copy).toHaveBeenCalledTimes(copies + 3);
	});
});

describe('allowed IPs', () => {
	it.each([
		['127.0.0.1', 0, 200],
		['={{ ["127.0.0.1", "10.0.0.1"] }}', 0, 200],
		['203.0.113.7', 0, 403],
		['203.0.113.7', 1, 200],
		['127.0.0.1', 1, 403],
		['10.9.9.9', 1, 403], // what the client itself claims
		[' , ', 0, 200],
		['={{ undefined }}', 0, 403],
		['={{ [] }}', 0, 403],
	])('%s behind %i proxies: %i', async (allowedIps, proxyHops, status) => {
		const headers = { 'x-forwarded-for': '10.9.9.9, 203.0.113.7' };
		const delivery = await deliver({ headers }, { allowedIps }, proxyHops);
		expect(delivery).toMatchObject({ status, body: '' });
		expect(delivery.started === undefined).toBe(status === 403);
		const refusals = delivery.logs.filter((line) => line.startsWith('debug: Answered'));
		expect(refusals).toEqual(
			status === 403 ? [expect.stringContaining("403: 'Allowed IPs' does not contain ")] : [],
		);
	});

	it('are only checked after the secret', async () => {
		expect((await deliver({ search: '' }, { allowedIps: '203.0.113.7' })).status).toBe(401);
	});
});

it('is the data of the trigger in a test, which n8n runs in mode manual', async () => {
	const options = workflow.prepare(false);
	const { workflow: engineWorkflow, node, additionalData } = await prepare(options, 'manual');
	const items = [{ json: { messageId: 'm-1' } }, { json: { messageId: 'm-2' } }];
	const executionData = { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] };
	const started = createRunExecutionData({ executionData });
	const execution = new WorkflowExecute(additionalData, 'manual', started);
	const { data, status } = await execution.processRunExecutionData(engineWorkflow);
	expect(status).toBe('success');
	const [output] = data.resultData.runData[node.name]![0]!.data!.main!;
	expect(output!.map(({ json }) => json)).toEqual(items.map(({ json }) => json));
});
