/**
 * Each operation in the real n8n: its request as the sandbox recorded it, held against the OpenAPI
 * document, and its output. The requests are shown in docs/requests.md; UPDATE_DOCS=1 writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { outputOf, type CredentialReference, type HostClient } from '../../host';
import { SEEDS, startSandbox, type RecordedRequest, type Sandbox } from '../../sandbox';
import { sharedHost } from './sharedHost';
import { chain, gateway, items, node } from './workflows';

jest.setTimeout(60_000);

const audio = Buffer.from('OggS, a short piece of audio');
const message = { messageId: expect.any(String), to: '5511912345678' };
const statistics = expect.objectContaining({ total: expect.any(Number) });

interface Case {
	title: string;
	section: string;
	resource: string;
	operation: string;
	parameters?: INodeParameters;
	output: object;
}

const cases: Case[] = [
	{
		title: 'API Key: Get Many',
		section: '4.1',
		resource: 'apiKey',
		operation: 'getAll',
		parameters: { limit: 1, filters: { status: 'active' } },
		output: { id: 'key-production', status: 'active', masked_key: expect.stringMatching(/^•+/) },
	},
	{
		title: 'API Key: Revoke',
		section: '4.2',
		resource: 'apiKey',
		operation: 'revoke',
		parameters: { keyId: { __rl: true, mode: 'id', value: 'key-staging' } },
		output: { deleted: true, id: 'key-staging' },
	},
	{
		title: 'Message: Send Media',
		section: '4.3',
		resource: 'message',
		operation: 'sendMedia',
		parameters: {
			to: '={{ $json.phone }}',
			mediaUrl: 'https://example.com/photo.jpg',
			caption: 'Your receipt',
		},
		output: { ...message, status: 'send', channel: 'chatApp' },
	},
	{
		title: 'Message: Send Audio',
		section: '4.4',
		resource: 'message',
		operation: 'sendAudio',
		parameters: {
			to: '={{ $("Items").item.json.phone }}',
			audioSource: 'binary',
			binaryPropertyName: 'data',
			options: { scheduleAt: '2030-12-31T09:30:00' },
		},
		output: { ...message, status: 'pending', channel: 'chatApp' },
	},
	{
		title: 'Message: Send SMS',
		section: '4.5',
		resource: 'message',
		operation: 'sendSms',
		parameters: {
			to: '={{ $json.phone }}',
			text: '=Hello {{ $json.name }}',
			options: { scheduleAt: '2030-12-31T09:30:00' },
		},
		output: { ...message, status: 'pending', channel: 'sms', segments: 1, encoding: 'GSM-7' },
	},
	{
		title: 'Campaign: Delete',
		section: '4.6',
		resource: 'campaign',
		operation: 'delete',
		parameters: { campaignId: SEEDS.campaigns.chatApp.finished },
		output: { deleted: true, campaignId: SEEDS.campaigns.chatApp.finished },
	},
	{
		title: 'Campaign: Get, chat app',
		section: '4.7',
		resource: 'campaign',
		operation: 'get',
		parameters: { channel: 'chatApp', campaignId: SEEDS.campaigns.chatApp.running },
		output: {
			campaignId: SEEDS.campaigns.chatApp.running,
			statistics,
			messages: expect.any(Array),
		},
	},
	{
		title: 'Campaign: Get, SMS',
		section: '4.8',
		resource: 'campaign',
		operation: 'get',
		parameters: {
			channel: 'sms',
			campaignId: SEEDS.campaigns.sms.finished,
			output: 'messages',
		},
		output: {
			campaignId: SEEDS.campaigns.sms.finished,
			campaignName: expect.any(String),
			statistics,
			to: expect.any(String),
			status: expect.any(String),
			messageId: expect.any(String),
		},
	},
	{
		title: 'Campaign: Get Many, chat app',
		section: '4.7',
		resource: 'campaign',
		operation: 'getAll',
		parameters: { includeMessages: true },
		output: { campaignId: expect.any(String), statistics, messages: expect.any(Array) },
	},
	{
		title: 'Campaign: Get Many, SMS',
		section: '4.8',
		resource: 'campaign',
		operation: 'getAll',
		parameters: { channel: 'sms' },
		output: { campaignId: SEEDS.campaigns.sms.finished, nome: expect.any(String), statistics },
	},
	{
		title: 'Instance: Get Connection State',
		section: '4.10',
		resource: 'instance',
		operation: 'getConnectionState',
		output: { connected: true },
	},
	{
		title: 'Webhook: Set',
		section: '4.11',
		resource: 'webhook',
		operation: 'set',
		parameters: { enable: true, url: 'https://example.com/notifications' },
		output: { success: true, message: expect.any(String) },
	},
	{
		title: 'Webhook: Get',
		section: '4.12',
		resource: 'webhook',
		operation: 'get',
		output: { url: 'https://example.com/notifications', enabled: true },
	},
	{
		title: 'Instance: Log Out',
		section: '4.9',
		resource: 'instance',
		operation: 'logOut',
		parameters: { instance: SEEDS.instanceName },
		output: { loggedOut: true, instance: SEEDS.instanceName },
	},
];

describe('each operation in the real n8n', () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let credential: CredentialReference;
	const recorded: Array<Case & { request: RecordedRequest }> = [];

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox();
		credential = await client.createCredential(sandbox.credential);
	});
	afterAll(async () => await sandbox.close());

	it.each(cases)('$title', async (test) => {
		const before = sandbox.requests().length;
		const execution = await client.execute(
			chain(
				test.title,
				...items({ name: 'Ana', phone: '+55 (11) 91234-5678', audio: audio.toString('base64') }),
				...(test.operation === 'sendAudio' ? [toFile] : []),
				gateway(credential, test.resource, test.operation, test.parameters),
			),
		);
		expect(execution.error).toBeUndefined();

		const [first] = outputOf(execution, 'Gateway');
		expect(first?.json).toMatchObject(test.output);
		expect(first?.pairedItem).toEqual({ item: 0 });

		const requests = sandbox.requests().slice(before);
		expect(requests).toHaveLength(1);
		const [request] = requests as [RecordedRequest];
		expect(request).toMatchObject({ valid: true, violations: [] });
		recorded.push({ ...test, request });
	});

	it("what the credential's 'Advanced' hides stays in use", async () => {
		const before = sandbox.requests().length;
		const account = await client.createCredential({
			...sandbox.credential,
			advanced: false,
			authentication: 'bearer',
			defaultCountryCode: '55',
			smsScheduleTimezone: 'UTC',
		});
		const send = gateway(account, 'message', 'sendSms', {
			to: '(11) 91234-5678',
			text: 'Hello',
			options: { scheduleAt: '2030-12-31T09:30:00' },
		});
		const execution = await client.execute(chain('Advanced', send));
		expect(execution.error).toBeUndefined();
		expect(sandbox.requests().slice(before)).toMatchObject([
			{
				headers: { authorization: `Bearer ${sandbox.credential.apiKey}` },
				body: { to: '5511912345678', schedule: '2030-12-31 12:30:00' },
			},
		]);
	});

	it('docs/requests.md shows these requests', () => {
		const file = path.join(__dirname, '../../docs/requests.md');
		const page = describeRequests(recorded);
		if (process.env.UPDATE_DOCS) writeFileSync(file, page);
		expect(readFileSync(file, 'utf8')).toBe(page);
	});
});

/** Makes a file of the item's Base64 text. */
const toFile = node(
	'To File',
	'n8n-nodes-base.convertToFile',
	{
		operation: 'toBinary',
		sourceProperty: 'audio',
		options: { fileName: 'greeting.ogg', mimeType: 'audio/ogg' },
	},
	{ typeVersion: 1.1 },
);

function describeRequests(rows: Array<Case & { request: RecordedRequest }>): string {
	const lines = rows.map(({ title, section, request }) => {
		const { method, query, headers, body } = request;
		const search = new URLSearchParams(query as Record<string, string>).toString();
		const secrets = ['x-api-key', 'x-instance-token'].filter((name) => name in headers);
		const shown = [
			...secrets.map((name) => `${name}: •••`),
			...(headers['content-type'] ? [`content-type: ${String(headers['content-type'])}`] : []),
		];
		const cells = [
			title,
			`§${section}`,
			code(`${method} ${request.path}${search ? `?${search}` : ''}`),
			shown.map(code).join('<br>'),
			body === undefined || body === null ? '–' : code(JSON.stringify(body)),
		];
		return `| ${cells.join(' | ')} |`;
	});
	return [
		'# Requests on the wire',
		'',
		'What each operation sends, as the sandbox recorded it from the real n8n; every request was valid',
		'against [openapi.yaml](openapi.yaml). The end-to-end test of the operations compares this page with',
		'what it sees; `UPDATE_DOCS=1 npx jest --selectProjects e2e -t operation` writes it again.',
		'',
		'| operation | interface | request | headers | body |',
		'|---|---|---|---|---|',
		...lines,
		'',
	].join('\n');
}

const code = (text: string): string => `\`${text}\``;
