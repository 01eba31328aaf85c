/** The link to a file works until its end, wherever the file came from, and whatever n8n does next. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import type { WorkflowJson } from '../../tools/host';
import { until } from '../../tools/host/until';
import { chain, gateway, node } from '../../tools/shared/workflows';
import { useHost } from './sharedHost';
import { call, called } from './support/workflows';

const content = randomBytes(100_000);
const host = useHost();

type Step = Omit<INode, 'id' | 'position'>;

interface Source {
	kind: 'form' | 'webhook';
	/** Of the file. */
	field: string;
	node(path: string): Step;
}

const form: Source = {
	kind: 'form',
	field: 'field-0',
	node(path) {
		const values = [{ fieldLabel: 'file', fieldType: 'file', multipleFiles: false }];
		const parameters = { formTitle: 'File', formFields: { values }, options: { path } };
		const more = { typeVersion: 2.2, webhookId: path };
		return node('Source', 'n8n-nodes-base.formTrigger', parameters, more);
	},
};
const webhook: Source = {
	kind: 'webhook',
	field: 'file',
	node(path) {
		const parameters = { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} };
		const more = { typeVersion: 2, webhookId: path };
		return node('Source', 'n8n-nodes-base.webhook', parameters, more);
	},
};

const to = '+5511912345678';
const ofFirst = (source: string) => `={{ Object.keys($('${source}').item.binary)[0] }}`;
const send = (from = 'Source'): Step =>
	gateway(host.credential, 'message', 'sendMedia', {
		to,
		mediaSource: 'binary',
		binaryPropertyName: ofFirst(from),
	});

const byItsEnd: Step = node('End', 'n8n-nodes-base.noOp', {});
const waits: Step = node(
	'Wait',
	'n8n-nodes-base.wait',
	{ resume: 'webhook' },
	{ typeVersion: 1.1 },
);

/** Sends the file to a published workflow that it starts. @returns the ID of its execution */
async function upload(source: Source, ...steps: Step[]): Promise<string> {
	const { client, url } = host;
	const path = randomUUID();
	const workflow: WorkflowJson = chain('File', source.node(path), ...steps);
	workflow.nodes.shift();
	delete workflow.connections.Start;
	const id = await client.publish(workflow);
	const body = new FormData();
	body.set(source.field, new Blob([content], { type: 'image/png' }), 'photo.png');
	const { status } = await fetch(`${url}/${source.kind}/${path}`, { method: 'POST', body });
	expect(status).toBe(200);
	return await client.newest(id);
}

/** Opens the link as the service does, without signing in, and then with a letter less. */
async function expectFileBehindLink(): Promise<void> {
	const request = await until('it was sent', () => host.sandbox.requests({ valid: true })[0]);
	const { mediaurl } = (request.body as { message: { mediaurl: string } }).message;
	const answer = await fetch(mediaurl);
	expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
	expect(answer.headers.get('content-disposition')).toContain('photo.png');
	expect(content.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
	expect((await fetch(mediaurl.slice(0, -1))).status).toBe(400);
}

it.each([form, webhook])('from a $kind: as it is sent, and after the end', async (source) => {
	const execution = await upload(source, send(), byItsEnd);
	await expectFileBehindLink();
	await host.client.waitForExecution(execution);
	await expectFileBehindLink();
});

it('while the execution waits', async () => {
	const execution = await upload(form, send(), waits);
	await host.client.untilItWaits(execution);
	await expectFileBehindLink();
	await host.client.cancel(execution);
});

it('from a sub-workflow', async () => {
	const id = await host.client.publish(called(chain('Sends', send('Start'))));
	const execution = await upload(webhook, call(id));
	await host.client.waitForExecution(execution);
	await expectFileBehindLink();
});
