/** What comes out, as n8n's editor tells it before the node has run: from the packed `__schema__`. */
import { chain, gateway, node } from '../../tools/shared/workflows';
import { describeInEditor } from '../e2e/sharedHost';

describeInEditor('the editor', (host) => {
	it('shows it to the next node', async () => {
		const { client, credential, editor } = host;
		const send = gateway(credential, 'message', 'sendSms', { to: '+5511912345678', text: 'Hello' });
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
