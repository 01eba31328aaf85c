/**
 * Each operation in the real n8n: its request as the sandbox recorded it, held against the OpenAPI
 * document, and its output. The pages of the operations show these runs; UPDATE_DOCS=1 records them.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	asEachTime,
	exchangeOf,
	readRecording,
	writeRecording,
	type OperationRun,
} from '../../tools/documentation/recordings';
import {
	outputOf,
	type CredentialReference,
	type FinishedExecution,
	type HostClient,
} from '../../tools/host';
import { SEEDS, startSandbox, type RecordedRequest, type Sandbox } from '../../tools/sandbox';
import { seededCampaigns } from '../../tools/sandbox/seeds';
import { sharedHost } from './sharedHost';
import { answer, linksTo, yesOrNo } from './wait/question';
import { chain, gateway, items, node } from '../../tools/shared/workflows';

const audio = Buffer.from('OggS, a short piece of audio');
const message = { messageId: expect.any(String), to: '5511912345678' };
const person = { name: 'Ana', phone: '+55 (11) 91234-5678' };
const statistics = expect.objectContaining({ total: expect.any(Number) });

const failed = seededCampaigns('sms')[0]!.messages.at(-1)!;

interface Case {
	title: string;
	resource: string;
	operation: string;
	parameters?: INodeParameters;
	output: object;
}

const cases: Case[] = [
	{
		title: 'API Key: Get Many',
		resource: 'apiKey',
		operation: 'getAll',
		parameters: { limit: 1, filters: { status: 'active' } },
		output: { id: 'key-production', status: 'active', masked_key: expect.stringMatching(/^•+/) },
	},
	{
		title: 'API Key: Revoke',
		resource: 'apiKey',
		operation: 'revoke',
		parameters: { keyId: { __rl: true, mode: 'id', value: 'key-staging' } },
		output: { deleted: true, id: 'key-staging' },
	},
	{
		title: 'Message: Send Media',
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
		resource: 'message',
		operation: 'sendSms',
		parameters: {
			to: '={{ $json.phone }}',
			text: '=Hello {{ $json.name }}',
			options: { scheduleAt: '2030-12-31T09:30:00' },
		},
		output: { ...message, status: 'pending', channel: 'sms', segments: 1, encoding: 'GSM-7' },
	},
	...['sendMedia', 'sendAudio', 'sendSms'].map((operation): Case => ({
		title: `Message: ${operation}, without Simplify`,
		resource: 'message',
		operation,
		parameters: {
			to: operation === 'sendAudio' ? '={{ $("Items").item.json.phone }}' : '={{ $json.phone }}',
			...(operation === 'sendMedia' && {
				mediaUrl: 'https://example.com/receipt.pdf',
				mediaType: 'document',
			}),
			...(operation === 'sendSms' && { text: 'Hello' }),
			simplify: false,
		},
		output: operation === 'sendAudio' ? { message_id: expect.any(String) } : { success: true },
	})),
	{
		title: 'Message: Get Status',
		resource: 'message',
		operation: 'getStatus',
		parameters: {
			messageId: failed.messageId,
			options: { campaignId: SEEDS.campaigns.sms.finished },
		},
		output: failed,
	},
	{
		title: 'Message: Get Status, by number',
		resource: 'message',
		operation: 'getStatus',
		parameters: { findBy: 'to', to: '={{ $json.phone }}' },
		output: { ...message, status: 'queued', campaignId: SEEDS.campaigns.sms.running },
	},
	{
		title: 'Message: Get Status, chat app, not found',
		resource: 'message',
		operation: 'getStatus',
		parameters: { channel: 'chatApp', messageId: 'no such message' },
		output: { found: false },
	},
	{
		title: 'Campaign: Delete',
		resource: 'campaign',
		operation: 'delete',
		parameters: { campaignId: SEEDS.campaigns.chatApp.finished },
		output: { deleted: true, campaignId: SEEDS.campaigns.chatApp.finished },
	},
	{
		title: 'Campaign: Get, chat app',
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
		title: 'Campaign: Get Many, SMS',
		resource: 'campaign',
		operation: 'getAll',
		parameters: { channel: 'sms' },
		output: { campaignId: SEEDS.campaigns.sms.finished, nome: expect.any(String), statistics },
	},
	{
		title: 'Campaign: Get Many, chat app',
		resource: 'campaign',
		operation: 'getAll',
		parameters: { channel: 'chatApp', includeMessages: true },
		output: { campaignId: expect.any(String), statistics, messages: expect.any(Array) },
	},
	{
		title: 'Instance: Get Connection State',
		resource: 'instance',
		operation: 'getConnectionState',
		output: { connected: true },
	},
	{
		title: 'Webhook: Set',
		resource: 'webhook',
		operation: 'set',
		parameters: { enable: true, url: 'https://example.com/notifications' },
		output: { success: true, message: expect.any(String) },
	},
	{
		title: 'Webhook: Get',
		resource: 'webhook',
		operation: 'get',
		output: { url: 'https://example.com/notifications', enabled: true },
	},
	{
		title: 'Instance: Log Out',
		resource: 'instance',
		operation: 'logOut',
		parameters: { instance: SEEDS.instanceName },
		output: { loggedOut: true, instance: SEEDS.instanceName },
	},
];

const questionTitle = 'Message: Send SMS and Wait for Response';

describe('each operation in the real n8n', () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let credential: CredentialReference;
	const runs: OperationRun[] = [];
	/** Each is played before the tests, in this order: some make what others read. */
	const played = new Map<string, Promise<void>>();

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox({ keepAnswers: true });
		credential = await client.createCredential(sandbox.credential);
		let last: Promise<unknown> = Promise.resolve();
		const add = (title: string, run: () => Promise<void>) => {
			const playing = last.then(run);
			played.set(title, playing);
			last = playing.catch(() => undefined); // of interest to its test
		};
		for (const test of cases) add(test.title, async () => await play(test));
		add(questionTitle, playQuestion);
	});
	afterAll(async () => await sandbox.close());

	/** Notes the only request since then, and what came out. */
	function note(
		{ resource, operation, parameters = {} }: Pick<Case, 'resource' | 'operation' | 'parameters'>,
		input: IDataObject,
		before: number,
		execution: FinishedExecution,
	): void {
		const requests = sandbox.requests().slice(before);
		expect(requests).toHaveLength(1);
		const [request] = requests as [RecordedRequest];
		expect(request).toMatchObject({ valid: true, violations: [] });
		const output = outputOf(execution, 'Gateway').map(({ json }) => json);
		runs.push({ resource, operation, input, parameters, exchange: exchangeOf(request), output });
	}

	async function play(test: Case): Promise<void> {
		const before = sandbox.requests().length;
		const execution = await client.execute(
			chain(
				test.title,
				...items({ ...person, audio: audio.toString('base64') }),
				...(test.operation === 'sendAudio' ? [toFile] : []),
				gateway(credential, test.resource, test.operation, test.parameters),
			),
		);
		expect(execution.error).toBeUndefined();

		const [first] = outputOf(execution, 'Gateway');
		expect(first?.json).toMatchObject(test.output);
		expect(first?.pairedItem).toEqual({ item: 0 });
		note(test, person, before, execution);
	}

	async function playQuestion(): Promise<void> {
		const before = sandbox.requests().length;
		const question = {
			resource: 'message',
			operation: 'sendAndWait',
			parameters: {
				to: '={{ $json.phone }}',
				message: '=May we deliver tomorrow, {{ $json.name }}?',
				responseType: 'approval',
				...yesOrNo,
			},
		};
		const { resource, operation, parameters } = question;
		const ask = gateway(credential, resource, operation, parameters);
		const id = await client.run(await client.createWorkflow(chain('Wait', ...items(person), ask)));
		await client.untilItWaits(id);
		await answer(linksTo(sandbox, '5511912345678').at(-1)!, 'approve');
		const execution = await client.waitForExecution(id);
		expect(execution.error).toBeUndefined();
		expect(outputOf(execution, 'Gateway')).toMatchObject([{ json: { data: { approved: true } } }]);
		note(question, person, before, execution);
	}

	it.each([...cases.map(({ title }) => title), questionTitle])('%s', async (title) => {
		await played.get(title);
	});

	it("what the credential's 'Advanced' hides stays in use", async () => {
		const other = await startSandbox();
		const account = await client.createCredential({
			...other.credential,
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
		expect(other.requests()).toMatchObject([
			{
				headers: { authorization: `Bearer ${other.credential.apiKey}` },
				body: { to: '5511912345678', schedule: '2030-12-31 12:30:00' },
			},
		]);
		await other.close();
	});

	it('the documentation shows these runs', async () => {
		await Promise.all(played.values());
		const seen = asEachTime(runs);
		if (process.env.UPDATE_DOCS) writeRecording('operations', seen);
		expect(seen).toEqual(readRecording('operations')); // `npm run docs` makes pages of it
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
