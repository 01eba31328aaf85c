/** What comes out, as n8n's editor tells it before the node has run: from the packed `__schema__`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folder, schemaFiles } from '../../tools/documentation/schemas';
import { readRecording } from '../../tools/documentation/recordings';
import { fetchOnce, type HostClient } from '../../tools/host';
import { Editor, isChromiumInstalled } from '../../tools/host/editor';
import { packageFolder } from '../../tools/host/paths';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { chain, gateway, node } from '../../tools/shared/workflows';

let url: string;
let client: HostClient;
let sandbox: Sandbox;

beforeAll(async () => {
	({ url, client } = await sharedHost());
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.close());

it('n8n serves one file for each operation', async () => {
	for (const file of schemaFiles(readRecording('operations')).keys()) {
		const served = path.relative(path.dirname(folder), file).replace(/^v/, ''); // the editor asks without it
		const answer = await fetchOnce(
			`${url}/schemas/n8n-nodes-messaging-gateway.messagingGateway/${served}`,
		);
		expect([served, answer.status]).toEqual([served, 200]);
		expect(await answer.text()).toBe(readFileSync(path.join(packageFolder, file), 'utf8'));
	}
});

const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';

(needs ? it.skip : it)(`the editor shows it to the next node${needs}`, async () => {
	const credential = await client.createCredential(sandbox.credential);
	const send = gateway(credential, 'message', 'sendSms', { to: '5511912345678', text: 'Hello' });
	const next = node('Next', 'n8n-nodes-base.noOp', {});
	const id = await client.createWorkflow(chain('Preview', send, next));
	const editor = await Editor.start(url, client);
	try {
		await editor.openWorkflow(id);
		await editor.openNode('Next');
		const input = editor.page.getByTestId('ndv-input-panel');
		await input.getByText('Usually outputs the following fields').waitFor();
		for (const field of ['messageId', 'status', 'channel', 'to', 'segments', 'encoding']) {
			await input.getByText(field, { exact: true }).first().waitFor();
		}
	} finally {
		await editor.stop();
	}
});
