/** What comes out, as n8n's editor tells it before the node has run: from the packed `__schema__`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readRecording } from '../../tools/documentation/recordings';
import { folder, schemaFiles } from '../../tools/documentation/schemas';
import { fetchOnce } from '../../tools/host';
import { packageFolder } from '../../tools/host/paths';
import { chain, gateway, node } from '../../tools/shared/workflows';
import { describeInEditor, sharedHost } from './sharedHost';

it('n8n serves one file for each operation', async () => {
	const { url } = await sharedHost();
	for (const file of schemaFiles(readRecording('operations')).keys()) {
		const served = path.relative(path.dirname(folder), file).replace(/^v/, ''); // the editor asks without it
		const answer = await fetchOnce(
			`${url}/schemas/n8n-nodes-messaging-gateway.messagingGateway/${served}`,
		);
		expect([served, answer.status]).toEqual([served, 200]);
		expect(await answer.text()).toBe(readFileSync(path.join(packageFolder, file), 'utf8'));
	}
});

describeInEditor('the editor', (host) => {
	it('shows it to the next node', async () => {
		const { client, credential, editor } = host;
		const send = gateway(credential, 'message', 'sendSms', { to: '5511912345678', text: 'Hello' });
		const next = node('Next', 'n8n-nodes-base.noOp', {});
		await editor.openWorkflow(await client.createWorkflow(chain('Preview', send, next)));
		await editor.openNode('Next');
		const input = editor.page.getByTestId('ndv-input-panel');
		await input.getByText('Usually outputs the following fields').waitFor();
		for (const field of ['messageId', 'status', 'channel', 'to', 'segments', 'encoding']) {
			await input.getByText(field, { exact: true }).first().waitFor();
		}
	});
});
