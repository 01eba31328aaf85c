/** The link to a file works until its end, wherever the file came from, and whatever n8n does next. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import type { CredentialReference, HostClient, WorkflowJson } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { chain, gateway, node } from '../../tools/shared/workflows';
import { sharedHost } from './sharedHost';

const content = randomBytes(100_000);

let client: HostClient;
let url: string;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	({ client, url } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

type Node = Omit<INode, 'id' | 'position'>;

const webhook = (path: string): Node =>
	node(
		'Source',
		'n8n-nodes-base.webhook',
		{ path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
		{ typeVersion: 2, webhookId: path },
	);

const form = (path: string): Node => {
	const values = [{ fieldLabel: 'file', fieldType: 'file', multipleFiles: false }];
	return node(
		'Source',
		'n8n-nodes-base.formTrigger',
		{ formTitle: 'File', formFields: { values }, options: { path } },
		{ typeVersion: 2.2, webhookId: path },
	);
};

const toWithFile = {
	to: '+5511912345678',
	binaryPropertyName: "={{ Object.keys($('Source').item.binary)[0] }}",
};
const send = () =>
	gateway(credential, 'message', 'sendMedia', { ...toWithFile, mediaSource: 'binary' });

const byItsEnd: Node = node('End', 'n8n-nodes-base.noOp', {});
const waits: Node = node(
	'Wait',
	'n8n-nodes-base.wait',
	{ resume: 'webhook' },
	{ typeVersion: 1.1 },
);

function startedBy(source: Node, ...rest: Node[]): WorkflowJson {
	const workflow = chain('File', source, ...rest);
	workflow.nodes.shift();
	delete workflow.connections.Start;
	Object.assign(workflow.nodes[0]!, { webhookId: source.webhookId });
	return workflow;
}

/** Sends the file to the published workflow. @returns the ID of its execution */
async function upload(workflow: WorkflowJson, address: string, field: string): Promise<string> {
	const id = await client.createWorkflow(workflow);
	await client.activate(id);
	const body = new FormData();
	body.set(field, new Blob([content], { type: 'image/png' }), 'photo.png');
	const { status } = await fetch(address, { method: 'POST', body });
	expect(status).toBe(200);
	return await until('it has begun', async () => (await client.executions(id))[0]?.id);
}

async function expectFileBehindLink(): Promise<void> {
	const { body } = await until('it was sent', () => sandbox.requests({ valid: true })[0]);
	const { mediaurl } = (body as { message: { mediaurl: string } }).message;
	const answer = await fetch(mediaurl);
	expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
	expect(answer.headers.get('content-disposition')).toContain('photo.png');
	expect(content.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
}

const sources: Array<[string, (path: string) => Node, string, string]> = [
	['a form', form, 'form', 'field-0'],
	['a Webhook node', webhook, 'webhook', 'file'],
];

describe.each(sources)('a file that %s took in', (_, source, kind, field) => {
	it('is behind the link as it is sent, and after the end of the execution', async () => {
		const path = randomUUID();
		const workflow = startedBy(source(path), send(), byItsEnd);
		const execution = await upload(workflow, `${url}/${kind}/${path}`, field);
		await expectFileBehindLink();
		await client.waitForExecution(execution);
		await expectFileBehindLink();
	});

	it('is behind the link while the execution waits', async () => {
		const path = randomUUID();
		const workflow = startedBy(source(path), send(), waits);
		const execution = await upload(workflow, `${url}/${kind}/${path}`, field);
		await client.untilItWaits(execution);
		await expectFileBehindLink();
		await client.cancel(execution);
	});

	it('is behind the link that a sub-workflow has made', async () => {
		const of = startedBy(
			node(
				'Source',
				'n8n-nodes-base.executeWorkflowTrigger',
				{ inputSource: 'passthrough' },
				{ typeVersion: 1.1 },
			),
			send(),
		);
		const value = await client.createWorkflow(of);
		await client.activate(value);
		const parameters = { workflowId: { __rl: true, mode: 'id', value }, options: {} };
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', parameters, { typeVersion: 1.2 });
		const path = randomUUID();
		const workflow = startedBy(source(path), call);
		const execution = await upload(workflow, `${url}/${kind}/${path}`, field);
		await client.waitForExecution(execution);
		await expectFileBehindLink();
	});
});

it('as audio, the file itself arrives, byte for byte', async () => {
	const path = randomUUID();
	const audio = gateway(credential, 'message', 'sendAudio', {
		...toWithFile,
		audioSource: 'binary',
		options: { mimeType: 'audio/ogg' },
	});
	await upload(startedBy(webhook(path), audio), `${url}/webhook/${path}`, 'file');
	const { body } = await until('it was sent', () => sandbox.requests({ valid: true })[0]);
	const sha256 = createHash('sha256').update(content).digest('hex');
	expect(body).toMatchObject({ audio_base64: { bytes: content.length, sha256 } });
});
