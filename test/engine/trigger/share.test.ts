/** Share: each delivery reaches this workflow and what had the webhook before, which answers it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { sealDisplaced, sealingKeys } from '../../../nodes/MessagingGatewayTrigger/identity';
import type { Webhook } from '../../../nodes/gateway/endpoints/webhook';
import { SEEDS } from '../../../tools/sandbox';
import { startCrm, type Crm } from '../../../tools/shared/crm';
import { startWebhook, type WebhookOptions, type WebhookServer } from '../harness';
import { listen } from '../harness/server';
import { forgetAll, later, left, setBack, stories, TriggerWorkflow, useSandbox } from './support';

/** Ends the time limits of requests. */
let timeUp: AbortController;
beforeEach(() => {
	timeUp = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeUp.signal);
});
afterEach(() => jest.restoreAllMocks());

/** An older n8n guards its network outside n8n-core, or not at all. */
const corePackage = path.join(path.dirname(require.resolve('n8n-core')), '../package.json');
const isGuarded = readFileSync(corePackage, 'utf8').includes('"@n8n/backend-network"');
const itWhereGuarded = isGuarded ? it : it.skip;

const sandbox = useSandbox();
let crm: Crm;
const close: Array<() => Promise<void>> = [];
beforeEach(async () => {
	crm = await startCrm();
	sandbox().webhook = crmWebhook();
});
afterEach(async () => {
	for (const each of [...close.splice(0), crm.close]) await each();
});

/** The address of a trigger, until the end of the test. */
async function serve(options: WebhookOptions): Promise<WebhookServer> {
	const server = await startWebhook(options);
	close.push(server.close);
	return server;
}

/** A workflow with Share that can be reached, each as on a separate n8n. */
class Sharing extends TriggerWorkflow {
	server!: WebhookServer;

	static async start(id: string, more: Partial<WebhookOptions> & { conflict?: 'takeOver' } = {}) {
		const { conflict = 'share', ...rest } = more;
		const workflow = new Sharing(sandbox(), id, { conflict, ...rest });
		workflow.server = await serve({ ...workflow.prepare(false), ...rest });
		workflow.options.instanceUrl = workflow.server.instanceUrl;
		return workflow;
	}

	async started() {
		const deliveries = await this.server.deliveries();
		return deliveries.flatMap(({ started }) => started?.[0]?.map(({ json }) => json) ?? []);
	}

	async logs() {
		return (await this.server.deliveries()).flatMap(({ logs }) => logs).join('\n');
	}
}

async function deliver(
	body: string | Buffer<ArrayBuffer> = '{"messageId":"m-1"}',
	headers: Record<string, string> = {},
	url = sandbox().webhook.url!,
) {
	const response = await fetch(url, {
		method: 'POST',
		redirect: 'manual',
		headers: { 'content-type': 'application/json', ...headers },
		body,
	});
	const { status } = response;
	return { status, body: await response.text(), headers: response.headers };
}

const crmWebhook = () => ({ url: crm.url, enabled: true });
const crmHost = () => new URL(crm.url).host;

/** A published workflow with Share. */
async function startPublished(more?: Parameters<typeof Sharing.start>[1]) {
	const workflow = await Sharing.start('a', more);
	await workflow.publish();
	return workflow;
}

/** The registered URL, with other webhooks in the place of what it has displaced. */
function sealAgain(displaced: Webhook[], keys = sealingKeys(sandbox().credential.apiKey, 'any')) {
	const url = sandbox().webhook.url!.split(/(?<=v1\.s\.[\w-]{43})\./)[0]!;
	return sealDisplaced([{ url, enabled: true }, ...displaced], keys).url;
}

const text = (body: Buffer) => body.toString();

it('passes a delivery on unchanged, and returns the answer', async () => {
	const workflow = await startPublished();
	expect(left(sandbox())).toBe('production of a');
	const body = '{ "messageId": "m-1",\n "n": 12345678901234567890 }';
	const own = {
		'x-signature': 'sha256=1',
		authorization: 'Bearer of-the-service',
		'x-forwarded-for': '203.0.113.7',
		'cf-ray': '1',
		via: '1.1 proxy',
		'x-messaging-gateway-trigger': 'x',
	};
	const answer = await deliver(body, own);
	expect(answer).toMatchObject({ status: 202, body: '{"taken":true}' });
	expect(answer.headers.get('content-type')).toBe('application/json');

	expect(crm.received.map((each) => text(each.body))).toEqual([body]);
	const { headers } = crm.received[0]!;
	expect(headers).toMatchObject({
		'content-type': 'application/json',
		'x-signature': 'sha256=1',
		authorization: 'Bearer of-the-service',
		'content-length': String(body.length),
		host: crmHost(),
	});
	for (const name of ['x-forwarded-for', 'cf-ray', 'via', 'x-messaging-gateway-trigger']) {
		expect(headers).not.toHaveProperty(name);
	}
	const { apiKey } = sandbox().credential;
	expect(JSON.stringify(headers)).not.toContain(apiKey);
	expect(await workflow.started()).toEqual([
		{
			messageId: 'm-1',
			n: '12345678901234567890',
			_gateway: { messageId: 'm-1', forwarded: { host: crmHost(), status: 202 } },
		},
	]);
	expect(AbortSignal.timeout).toHaveBeenLastCalledWith(10_000);

	await workflow.unpublish();
	expect(sandbox().webhook).toEqual(crmWebhook());
});

it.each([
	['a form', 'a=1&b=%20', 'application/x-www-form-urlencoded'],
	[
		'a form of another character set',
		Buffer.from([97, 61, 233]),
		'application/x-www-form-urlencoded',
	],
	['text of another character set', Buffer.from([111, 108, 225]), 'text/plain; charset=latin1'],
	['text', 'olá', 'text/plain; charset=utf-8'],
	['a type of its own', Buffer.from([0, 255, 128, 10]), 'application/octet-stream'],
	['an empty list', '[]', 'application/json'],
	['nothing', '', 'application/json'],
	['2 MB', JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) }), 'application/json'],
])('%s arrives as it is', async (_, body, type) => {
	await startPublished();
	expect((await deliver(body, { 'content-type': type })).status).toBe(202);
	expect(crm.received[0]?.body.equals(Buffer.from(body))).toBe(true);
	if (body.length > 0) expect(crm.received[0]?.headers['content-type']).toBe(type);
});

it('without a content type, it arrives without one', async () => {
	await startPublished();
	const { hostname, port, pathname, search } = new URL(sandbox().webhook.url!);
	const delivery = request({ hostname, port, path: pathname + search, method: 'POST' });
	delivery.end('{"messageId":"m-1"}');
	const [answer] = (await once(delivery, 'response')) as [IncomingMessage];
	answer.resume();
	expect(answer.statusCode).toBe(202);
	expect(crm.received.map((each) => text(each.body))).toEqual(['{"messageId":"m-1"}']);
	expect(crm.received[0]!.headers).not.toHaveProperty('content-type');
});

it.each([
	['gzip', gzipSync('{"a":1}'), '{"a":1}', undefined],
	['br', brotliCompressSync('{"a":1}'), brotliCompressSync('{"a":1}'), 'br'],
])('compressed with %s, it says how the CRM gets it', async (encoding, body, expected, said) => {
	await startPublished();
	const headers = { 'content-type': 'application/octet-stream', 'content-encoding': encoding };
	expect((await deliver(body as Buffer<ArrayBuffer>, headers)).status).toBe(202);
	expect(crm.received[0]!.body.equals(Buffer.from(expected))).toBe(true);
	expect(crm.received[0]!.headers['content-encoding']).toBe(said);
});

it.each<[string, Crm['answer'], status: number, body?: string, problem?: string]>([
	['500', (response) => response.writeHead(500, { 'retry-after': '7' }).end('no'), 500, 'no'],
	[
		'a redirect, which is not followed',
		(response) => response.writeHead(302, { location: '/hooks/' }).end(),
		302,
	],
	['204', (response) => response.writeHead(204).end(), 204],
	[
		'more than 64 kB',
		(response) => response.end(Buffer.alloc(2 ** 20, 'x')),
		...([200, 'x'.repeat(64 * 1024)] as const),
	],
	[
		'nothing, and hangs up',
		(response) => response.destroy(),
		...([502, '', 'No answer (ECONNRESET)'] as const),
	],
	['nothing', () => timeUp.abort(), 504, '', 'No answer within 10 seconds'],
	[
		'as an n8n that is starting and takes nothing',
		(response) => response.end('n8n is starting up. Please wait'),
		...([503, '', 'n8n is still starting there'] as const),
	],
	[
		'no more than a beginning',
		(response) => response.write('x', () => timeUp.abort()),
		...([504, '', 'No answer within 10 seconds'] as const),
	],
])(
	'the service gets what the CRM answers: %s',
	async (what, act, status, body = '', problem = '') => {
		const workflow = await startPublished();
		crm.answer = act;
		const given = await deliver();
		expect(given).toMatchObject({ status, body });
		if (what === '500') expect(given.headers.get('retry-after')).toBe('7');
		if (what.startsWith('a redirect')) {
			expect(given.headers.get('location')).toBe(new URL('/hooks/', crm.url).href);
		}
		// This workflow starts either way.
		const forwarded = { host: crmHost(), ...(problem ? { problem } : { status }) };
		expect(await workflow.started()).toMatchObject([{ messageId: 'm-1', _gateway: { forwarded } }]);
		if (problem) {
			const said = `warn: Did not pass a delivery on to ${crmHost()}: ${problem}`;
			expect(await workflow.logs()).toContain(said);
		}

		// The service delivers it again, with success: once more to the CRM, never to the workflow.
		const isAccepted = status < 300;
		crm.answer = (response) => response.end('done');
		timeUp = new AbortController();
		expect(await deliver()).toMatchObject({ status: 200, body: 'done' });
		expect(crm.received).toHaveLength(2);
		expect(await workflow.started()).toHaveLength(isAccepted ? 2 : 1);
		const note = 'Started nothing: this delivery is being repeated';
		expect((await workflow.logs()).includes(note)).toBe(!isAccepted);

		// Once it was accepted, it is another one.
		await deliver();
		expect(await workflow.started()).toHaveLength(isAccepted ? 3 : 2);
	},
);

const refuse: Crm['answer'] = (response) => response.writeHead(500).end();

it('a reply that repeats an earlier one starts the workflow', async () => {
	const workflow = await startPublished();
	const replies = ['STOP', 'VOLTAR', 'STOP', 'STOP'];
	for (const reply of replies) expect((await deliver(`{"text":"${reply}"}`)).status).toBe(202);
	expect(await workflow.started()).toMatchObject(replies.map((reply) => ({ text: reply })));
});

it('so does one that comes before the earlier one was accepted', async () => {
	const workflow = await startPublished();
	const waiting: Array<(status?: number) => void> = [];
	crm.answer = (response) => waiting.push((status = 200) => response.writeHead(status).end());
	const [first, second] = [deliver(), deliver()];
	while (waiting.length < 2) await setImmediate();
	waiting[0]!();
	await Promise.race([first, second]);
	waiting[1]!(500);
	await Promise.all([first, second]);
	expect(await workflow.started()).toHaveLength(2);
	crm.answer = (response) => response.end();
	await deliver(); // the second one, repeated
	expect(await workflow.started()).toHaveLength(2);
});

it('once a repetition was accepted, the end of the first try makes no later reply one', async () => {
	const workflow = await startPublished();
	const answers: Array<(status: number) => void> = [];
	crm.answer = (response) => answers.push((status) => response.writeHead(status).end());
	const first = deliver();
	while (answers.length < 1) await setImmediate();
	const repeated = deliver();
	while (answers.length < 2) await setImmediate();
	answers[1]!(200);
	expect((await repeated).status).toBe(200);
	answers[0]!(500);
	expect((await first).status).toBe(500);
	crm.answer = (response) => response.end();
	await deliver();
	expect(await workflow.started()).toHaveLength(2);
});

it('what was accepted too late for the service is repeated', async () => {
	const workflow = await startPublished();
	const answers: Array<() => void> = [];
	crm.answer = (response) => answers.push(() => response.end());
	const impatient = new AbortController();
	const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
	const first = fetch(sandbox().webhook.url!, { ...init, signal: impatient.signal });
	while (answers.length === 0) await setImmediate();
	impatient.abort();
	await expect(first).rejects.toThrow('aborted');
	await sleep(100); // the connection closes
	answers[0]!();
	expect(await workflow.started()).toHaveLength(1);
	crm.answer = (response) => response.end();
	await deliver('{}');
	expect(await workflow.started()).toHaveLength(1);
});

it('the same body after an hour, or with another type, is a new delivery', async () => {
	const workflow = await startPublished();
	crm.answer = refuse;
	await deliver();
	await deliver(undefined, { 'content-type': 'application/json; charset=utf-8' });
	await later(3_600_001, deliver);
	expect(await workflow.started()).toHaveLength(3);
});

it('a clock that is set back changes nothing about that', async () => {
	const workflow = await startPublished();
	crm.answer = refuse;
	await deliver();
	await later(3_599_000, deliver, setBack);
	expect(await workflow.started()).toHaveLength(1);
	await later(3_600_001, deliver, setBack);
	expect(await workflow.started()).toHaveLength(2);
});

it('what n8n could not take is not accepted, and starts the workflow when it is repeated', async () => {
	const workflow = await startPublished({ cannotStart: true });
	expect((await deliver()).status).toBe(500);
	const again = await serve({ ...workflow.prepare(false), ...{ cannotStart: false } });
	const { search } = new URL(sandbox().webhook.url!);
	expect((await deliver(undefined, {}, again.url + search)).status).toBe(202);
	expect((await again.deliveries())[0]?.started).toHaveLength(1);
});

describe('nothing is passed on', () => {
	it.each<[string, (url: string) => string]>([
		['without the secret', (url) => url.replace(/\?.*/, '')],
		['with another one', (url) => url.replace(/(v1\.s\.)[\w-]{43}/, `$1${'a'.repeat(43)}`)],
		['with a secret cut off', (url) => url.replace(/(v1\.s\.[\w-]{42})[\w-]/, '$1')],
	])('%s', async (_, change) => {
		const workflow = await startPublished();
		const { status, body } = await deliver('{}', {}, change(sandbox().webhook.url!));
		expect({ status, body }).toEqual({ status: 401, body: '' });
		expect(crm.received).toEqual([]);
		expect(await workflow.started()).toEqual([]);
	});

	it('from an address that is not allowed', async () => {
		const options = { allowedIps: '203.0.113.7' };
		await startPublished({ parameters: { conflict: 'share', options } });
		expect((await deliver()).status).toBe(403);
		expect(crm.received).toEqual([]);
	});

	it.each<[string, string]>([
		['sealed by who has guessed an API key', 'guessed'],
		['sealed by who knows the id of the n8n', ''],
	])('to what the service does not have: %s', async (_, apiKey) => {
		const workflow = await startPublished({ instanceId: 'n8n-1' });
		const stranger = { url: crm.url.replace('hooks', 'stranger'), enabled: true };
		const forged = sealAgain([stranger], sealingKeys(apiKey, 'n8n-1'));
		expect((await deliver('{}', {}, forged)).status).toBe(502);
		expect(crm.received).toEqual([]);
		expect(await workflow.started()).toMatchObject([
			{ _gateway: { forwarded: { problem: 'The previous webhook cannot be read' } } },
		]);
	});

	itWhereGuarded.each(['localhost', '127.0.0.1'])(
		'to what n8n itself does not allow: %s',
		async (host) => {
			const { port } = new URL(crm.url);
			sandbox().webhook.url = `http://${host}:${port}/hooks`;
			const workflow = await startPublished();
			const protection = Container.get(SsrfProtectionConfig);
			const wasEnabled = protection.enabled;
			protection.enabled = true;
			try {
				expect(await deliver()).toMatchObject({ status: 502, body: '' });
			} finally {
				protection.enabled = wasEnabled;
			}
			expect(crm.received).toEqual([]);
			const problem = expect.stringContaining('N8N_SSRF_ALLOWED_HOSTNAMES') as string;
			expect(await workflow.started()).toMatchObject([{ _gateway: { forwarded: { problem } } }]);
		},
	);

	it.each(['', 'http://crm/', 'http://crm.shop.svc/', 'http://crm.local/', 'http://10.0.0.1/'])(
		'from a service on the internet into a private network: %j',
		async (url) => {
			const workflow = await startPublished();
			const credential = { ...sandbox().credential, baseUrl: 'https://api.example.com' };
			const server = await serve({ ...workflow.prepare(false), credential });
			const registered = url ? sealAgain([{ url, enabled: true }]) : sandbox().webhook.url!;
			const { search } = new URL(registered);
			expect((await deliver('{}', {}, server.url + search)).status).toBe(502);
			expect(crm.received).toEqual([]);
			const problem = "A service on the internet can't reach a private network";
			const [delivery] = await server.deliveries();
			expect(delivery?.started?.[0]?.[0]?.json._gateway).toEqual({ forwarded: { problem } });
		},
	);

	it('where nothing was there: answered as without Share', async () => {
		sandbox().webhook = { url: null, enabled: null };
		const workflow = await startPublished();
		expect(await deliver()).toMatchObject({ status: 200, body: '' });
		expect(await workflow.started()).toEqual([
			{ messageId: 'm-1', _gateway: { messageId: 'm-1' } },
		]);
	});

	it('to what is off, but to the next that is on', async () => {
		const other = await startCrm();
		close.push(other.close);
		await startPublished();
		const url = sealAgain([{ url: other.url, enabled: false }, crmWebhook()]);
		expect((await deliver('{}', {}, url)).status).toBe(202);
		expect([other.received.length, crm.received.length]).toEqual([0, 1]);
	});
});

it('Allowed IPs apply the same until the first trigger has registered with a new API key', async () => {
	const credential = { ...sandbox().credential };
	const service = '203.0.113.7';
	const parameters = { conflict: 'share', options: { allowedIps: service } };
	const below = await Sharing.start('below', { parameters, proxyHops: 1, credential });
	const above = await Sharing.start('above', { proxyHops: 1, credential });
	for (const each of [below, above]) await each.publish();
	const from = { 'x-forwarded-for': service };
	expect((await deliver('{}', from)).status).toBe(202);
	credential.apiKey = SEEDS.apiKeys[1]!.key;
	expect((await deliver('{"a":1}', from)).status).toBe(202);
	expect(await below.started()).toHaveLength(2);
});

describe('Allowed IPs', () => {
	const service = '203.0.113.7';
	const from = (address: string) => ({ 'x-forwarded-for': address });
	const guarded = { parameters: { conflict: 'share', options: { allowedIps: service } } };
	let lowest: Sharing;
	let all: Sharing[];
	/** The URL of the lowest, as a proxy has logged it. */
	let leaked: string;
	beforeEach(async () => {
		lowest = await Sharing.start('lowest', { ...guarded, proxyHops: 1 });
		await lowest.publish();
		leaked = sandbox().webhook.url!;
		const middle = await Sharing.start('middle', { proxyHops: 1 });
		const top = await Sharing.start('top', { proxyHops: 1 });
		for (const each of [middle, top]) await each.publish();
		all = [lowest, middle, top];
	});
	const counts = async () =>
		await Promise.all(all.map(async (each) => (await each.started()).length));

	it.each([
		['JSON', '{"messageId":"m-1"}', 'application/json'],
		['a type of its own', Buffer.from([0, 255, 128, 10]), 'application/octet-stream'],
		['nothing', '', 'application/json'],
	])('apply to who has delivered to the first trigger: %s', async (_, body, type) => {
		const headers = { ...from(service), 'content-type': type };
		expect((await deliver(body, headers)).status).toBe(202);
		expect(crm.received).toHaveLength(1);
		expect(crm.received[0]!.headers).not.toHaveProperty('x-messaging-gateway-passed-on-from');
		expect(await counts()).toEqual([1, 1, 1]);
		// Of another one, only those without a list take it.
		expect((await deliver(body, { ...headers, ...from('203.0.113.8') })).status).toBe(403);
		expect(crm.received).toHaveLength(1);
	});

	it('cannot be avoided by who knows no more than the URL', async () => {
		const passed: string[] = [];
		const spy = await startCrm();
		close.push(spy.close);
		spy.answer = (response, { headers }) => {
			passed.push(String(headers['x-messaging-gateway-passed-on-from']));
			response.end();
		};
		const { search, pathname } = new URL(leaked);
		const logged = new URL(pathname + search, spy.url).href;
		await deliver('{}', from(service), sealAgain([{ url: logged, enabled: true }]));
		expect(passed).toEqual([expect.stringMatching(/^203\.0\.113\.7 [\w-]{43}$/)]);
		const seen = passed[0]!;
		for (const [body, header] of [
			['{"messageId":"forged"}', seen],
			['{}', service],
			['{}', `${service} ${'a'.repeat(43)}`],
			['{}', `${service} ${'é'.repeat(43)}`],
			['{}', seen.replace(service, '203.0.113.8')],
		] as const) {
			const headers = { ...from('203.0.113.9'), 'x-messaging-gateway-passed-on-from': header };
			expect((await deliver(body, headers, leaked)).status).toBe(403);
		}
		expect(await lowest.started()).toEqual([]);
		expect(crm.received).toEqual([]);
	});
});

describe('a trigger beneath that ended while the service was down', () => {
	let answer: { status: number; body: string };
	let upper: Sharing;
	let check: () => Promise<string[]>;
	const unknown = {
		code: 404,
		message: 'The requested webhook "POST x/webhook" is not registered.',
	};
	const gone = { status: 404, body: JSON.stringify(unknown) };
	const there = { status: 401, body: '' };
	beforeEach(async () => {
		const server = await listen((incoming, response) => {
			incoming.resume().on('end', () => response.writeHead(answer.status).end(answer.body));
		});
		const { url: instanceUrl } = server;
		const lower = new TriggerWorkflow(sandbox(), 'lower', { conflict: 'share', instanceUrl });
		await lower.publish();
		upper = await startPublished();
		const watch = await upper.watch();
		close.push(server.close, watch.close);
		answer = gone;
		check = async () => {
			const before = watch.logs().length;
			await watch.tick();
			return watch.logs().slice(before);
		};
	});
	/** Whether a delivery reaches the CRM. */
	const reachesCrm = async () => (await deliver(`{"messageId":"${Math.random()}"}`)).status === 202;

	it('is noticed by the one above, which takes it out at its next check', async () => {
		expect(await reachesCrm()).toBe(false);
		expect(await upper.logs()).toContain('warn: A delivery was lost at 127.0.0.1');
		expect((await check()).join()).toMatch(/warn: Passes nothing on to 127\.0\.0\.1:\d+ any more/);
		expect(await reachesCrm()).toBe(true);
		expect((await check()).join()).not.toContain('Passes nothing on');
		await upper.unpublish();
		expect(sandbox().webhook).toEqual(crmWebhook());
	});

	it('is taken out without a delivery at the second check', async () => {
		const { url } = sandbox().webhook;
		for (const each of [gone, there, gone]) {
			answer = each;
			await check();
			expect(sandbox().webhook.url).toBe(url);
		}
		await check();
		expect(await reachesCrm()).toBe(true);
	});

	it.each([
		['a proxy answers for its n8n', { status: 404, body: '404 page not found' }, undefined],
		['it is there, and passes on such an answer', gone, there],
		['its n8n is down', { status: 503, body: unknown.message }, undefined],
	])('is not taken for one where %s', async (_, given, asked) => {
		const { url } = sandbox().webhook;
		for (let count = 0; count < 3; count++) {
			answer = given;
			await deliver(`{"messageId":"${count}"}`);
			answer = asked ?? given;
			await check();
		}
		expect(sandbox().webhook.url).toBe(url);
	});
});

describe('a loop', () => {
	it('is cut when a delivery comes back', async () => {
		const workflow = await startPublished();
		// A CRM that passes on what it gets, with its headers.
		crm.answer = (response, { headers, body }) =>
			void fetch(sandbox().webhook.url!, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'x-messaging-gateway-passed-on-by': String(headers['x-messaging-gateway-passed-on-by']),
				},
				body: new Uint8Array(body),
			}).then(({ status }) => response.writeHead(status).end());
		expect((await deliver()).status).toBe(508);
		expect(crm.received).toHaveLength(1);
		expect(await workflow.started()).toHaveLength(1);
		expect(await workflow.logs()).toContain('The delivery has already passed this node');
	});

	it('is avoided: its own address is skipped, and the next one gets the delivery', async () => {
		const workflow = await startPublished();
		const itself = sealAgain([]).replace('v1.s', 'v1.p');
		const url = sealAgain([{ url: itself, enabled: true }, crmWebhook()]);
		expect((await deliver('{}', {}, url)).status).toBe(202);
		expect(await workflow.logs()).toContain('leads back to this node');
	});
});

describe('several workflows of one account', () => {
	const chain = async (...instanceIds: string[]) =>
		await Promise.all(
			instanceIds.map(
				async (instanceId, index) => await Sharing.start(`w${index}`, { instanceId }),
			),
		);

	it.each<[string, string[]]>([
		['of one n8n', ['n1', 'n1', 'n1']],
		['of two n8n', ['n1', 'n2', 'n1']],
	])('%s each get every delivery, and end in any order', async (_, who) => {
		const all = await chain(...who);
		const orders = [
			[0, 1, 2],
			[2, 1, 0],
			[1, 0, 2],
			[1, 2, 0],
		];
		let count = 0;
		for (const order of orders) {
			for (const each of all) await each.publish();
			const published = new Set(all);
			for (const index of order) {
				forgetAll();
				const before = await Promise.all(all.map(async (each) => (await each.started()).length));
				expect((await deliver(`{"messageId":"m-${++count}"}`)).status).toBe(202);
				expect(crm.received).toHaveLength(count);
				const now = await Promise.all(all.map(async (each) => (await each.started()).length));
				expect(now.map((each, place) => each - before[place]!)).toEqual(
					all.map((each) => (published.has(each) ? 1 : 0)),
				);
				await all[index]!.unpublish();
				published.delete(all[index]!);
			}
			expect(sandbox().webhook).toEqual(crmWebhook());
		}
	});

	it('a displaced one with Take Over gets every delivery, the CRM none', async () => {
		const lower = await Sharing.start('lower', { conflict: 'takeOver' });
		const [upper] = (await chain('n2')) as [Sharing];
		await lower.publish();
		await upper.publish();
		expect((await deliver()).status).toBe(200);
		for (const each of [lower, upper]) expect(await each.started()).toHaveLength(1);
		expect(crm.received).toEqual([]);
		await lower.unpublish();
		expect((await deliver('{}')).status).toBe(202);
		await upper.unpublish();
		expect(sandbox().webhook).toEqual(crmWebhook());
	});
});

it('a test shares, too: the CRM and the publication miss nothing', async () => {
	const workflow = await startPublished();
	const test = new TriggerWorkflow(sandbox(), 'a', workflow.options);
	const server = await serve(test.prepare(true));
	test.options.instanceUrl = server.instanceUrl;
	await test.listen();
	expect(left(sandbox())).toBe('test of a');
	expect((await deliver()).status).toBe(202);
	expect((await server.deliveries())[0]?.started).toHaveLength(1);
	expect(await workflow.started()).toHaveLength(1);
	expect(crm.received).toHaveLength(1);
	await test.endTest();
	expect(left(sandbox())).toBe('production of a');
});

it('a challenge while it registers is answered by the CRM, and starts nothing', async () => {
	const workflow = await Sharing.start('a');
	let challenge: ReturnType<typeof deliver> | undefined;
	workflow.options.onRequest = async ({ method, body }) => {
		if (method !== 'POST' || challenge) return;
		challenge = deliver('{"challenge":1}', {}, (body as { url: string }).url);
		await challenge;
	};
	await workflow.publish();
	expect(await challenge).toMatchObject({ status: 202 });
	expect(crm.received).toHaveLength(1);
	expect(await workflow.started()).toEqual([]);
});

describe('stories', () => {
	const key = 'key 1; share 1; share 2; ';
	stories(sandbox, {
		'of Share, Take Over and Refuse':
			'crm; share 1; publish 1 → production of 1; refuse 2; try publish 2 → production of 1; share 2; ' +
			'publish 2 → production of 2; exists 1; listen 1 → test of 1; end 1 → production of 2; ' +
			'publish 3 → production of 3; unpublish 2 → production of 3; unpublish 3 → production of 1; ' +
			'unpublish 1 → crm',
		'with another address, it registers in its place':
			'crm; share 1; share 2; publish 1; publish 2; hooks 1; exists 2; restart 1 → production of 2; ' +
			'exists 1; unpublish 2; exists 1; unpublish 1 → crm',
		'with another API key, it keeps what it shares with':
			'crm; share 1; publish 1; key 1; check 1; forget; unpublish 1 → crm',
		'the watch leaves it while deliveries reach it, and joins those who knew nothing of it':
			'crm; share 1; share 2; publish 1; publish 2; check 1; restart 1 → production of 2; exists 1; ' +
			'crm; publish 2; check 1 → production of 1; exists 2; check 1; check 2 → production of 1',
		'two API keys cannot share': `crm; ${key}publish 1; try publish 2; try listen 2 → production of 1; unpublish 1 → crm`,
		'nor can they where the first one does not share':
			'crm; key 1; publish 1; share 2; try publish 2; unpublish 2 → production of 1; unpublish 1 → crm',
		'two API keys share what is off': `${key}publish 1; off; publish 2 → production of 2`,
		'of two API keys, the second may take over':
			'crm; key 1; share 1; publish 1; publish 2 → production of 2; forget; unpublish 1; unpublish 2 → crm',
		'the watch joins once both have the same API key': `${key}crm; publish 1; crm; publish 2; check 1 → production of 2; key 2; restart 2; check 1 → production of 1; exists 2; forget; unpublish 1; unpublish 2 → crm`,
	});
});
