import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Controls } from './controls';
import type {
	AcceptedFilter,
	ApiKeySetting,
	CampaignSetting,
	Channel,
	DeliveryOptions,
	FaultRule,
	Overview,
	RequestFilter,
	SandboxCredential,
	WebhookConfiguration,
} from './types';

const messagesPage = readFileSync(join(__dirname, 'messages.html'), 'utf8');

/** Only this page's own script and style, and pictures and sound from this machine. */
const policy = [
	"default-src 'none'",
	"connect-src 'self'",
	`script-src ${hashOf('script')}`,
	`style-src ${hashOf('style')}`,
	...['img-src', 'media-src'].map((kind) => `${kind} data: http://127.0.0.1:* http://localhost:*`),
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

function hashOf(element: string): string {
	const [, content = ''] =
		new RegExp(`<${element}>(.*)</${element}>`, 's').exec(messagesPage) ?? [];
	return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** The controls over HTTP and the page of messages, below `/_sandbox`. */
export function registerControlRoutes(
	app: FastifyInstance,
	controls: Controls,
	credential: () => SandboxCredential,
): void {
	// A browser sends what any page asks for, also one whose name was made to lead to this machine.
	app.addHook('onRequest', async ({ protocol, headers: { host = '', origin } }, reply) => {
		const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
		if (isLocal && (origin ?? `${protocol}://${host}`) === `${protocol}://${host}`) return;
		return await reply.status(403).send({ detail: 'Only this machine may control the sandbox' });
	});

	app.get('/messages', (_request, reply) =>
		reply.header('content-security-policy', policy).type('text/html').send(messagesPage),
	);
	app.get('/overview', () => controls.overview());
	app.get('/credential', credential);

	app.get<{ Querystring: Omit<RequestFilter, 'valid'> & { valid?: 'true' | 'false' } }>(
		'/requests',
		({ query: { valid, ...filter } }) =>
			controls.requests({ ...filter, ...(valid && { valid: valid === 'true' }) }),
	);
	app.get<{ Querystring: AcceptedFilter }>('/accepted', ({ query }) => controls.accepted(query));
	app.get<{ Querystring: AcceptedFilter }>('/accepted/count', ({ query }) => ({
		count: controls.timesAccepted(query),
	}));

	app.post<{ Body: FaultRule }>('/faults', ({ body }, reply) => {
		controls.fault(body);
		return reply.status(204).send();
	});
	app.delete('/faults', (_request, reply) => {
		controls.clearFaults();
		return reply.status(204).send();
	});

	app.put<{ Body: Partial<Pick<Overview, 'nextMessage' | 'answersSlowly'>> }>(
		'/simulated',
		({ body: { nextMessage, answersSlowly } }, reply) => {
			if (nextMessage) controls.nextMessage = nextMessage;
			if (answersSlowly !== undefined) controls.answersSlowly = answersSlowly;
			return reply.status(204).send();
		},
	);

	app.get('/webhook', () => controls.webhook);
	app.put<{ Body: WebhookConfiguration }>('/webhook', ({ body }) => {
		controls.webhook = body;
		return controls.webhook;
	});
	app.get('/deliveries', () => controls.deliveries());
	app.post<{ Body: { event: unknown; options?: Omit<DeliveryOptions, 'url'> } }>(
		'/deliver',
		({ body }) => controls.deliver(body.event, { ...body.options, url: undefined }),
	);

	app.post('/report', () => controls.report());
	app.post<{ Body: { text: string } }>('/reply', ({ body }) => controls.reply(body.text));

	app.get('/instance', () => controls.instance);
	app.put<{ Body: { connected: boolean } }>('/instance', ({ body }) =>
		Object.assign(controls.instance, body),
	);

	app.put<{ Body: CampaignSetting }>('/campaigns', ({ body }, reply) => {
		controls.setCampaign(body);
		return reply.status(204).send();
	});
	app.delete<{ Params: { channel: Channel; campaignId: string } }>(
		'/campaigns/:channel/:campaignId',
		({ params: { channel, campaignId } }, reply) => {
			controls.removeCampaign(channel, campaignId);
			return reply.status(204).send();
		},
	);

	app.get('/api-keys', () => controls.apiKeys);
	app.put<{ Body: ApiKeySetting[] }>('/api-keys', ({ body }) => {
		controls.apiKeys = body;
		return controls.apiKeys;
	});

	app.post('/advance', async (_request, reply) => {
		await controls.advance();
		return reply.status(204).send();
	});
	app.post('/reset', (_request, reply) => {
		controls.reset();
		return reply.status(204).send();
	});
}
