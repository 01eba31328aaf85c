/** The steps of docs/ai.md in n8n's editor: what lets a model fill a field, and what it is told then. */
import type { WorkflowJson } from '../../tools/host';
import { chain, node } from '../../tools/shared/workflows';
import { connectBelow, fromAi, tool } from './agent/tools';
import { describeInEditor } from './sharedHost';

const description = 'Plain text, at most 160 characters';

describeInEditor('a tool in the editor', (host) => {
	it('lets the model fill a field, by its name and the text that is entered there', async () => {
		const { client, credential, editor } = host;
		const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', {}, { typeVersion: 3 });
		const workflow = chain('Tool', agent);
		const sendSms = { resource: 'message', operation: 'sendSms' };
		connectBelow(workflow, 'Agent', 'ai_tool', tool('Send SMS', credential, sendSms));
		const id = await client.createWorkflow(workflow);
		await editor.openWorkflow(id);
		await editor.openNode('Send SMS');
		const { page } = editor;
		await page.getByText(/^An AI agent may call this tool twice/).waitFor();
		const field = page.getByTestId('parameter-item').filter({ hasText: 'Text' }).first();
		await field.hover();
		await field.getByTestId('from-ai-override-button').click();
		await page.getByText('Add a description').click();
		const saved = page.waitForRequest(
			(request) => request.method() === 'PATCH' && (request.postData() ?? '').includes(description),
		); // from before it is entered, since the editor saves when it likes
		await page
			.getByTestId('parameter-item')
			.filter({ hasText: 'Description' })
			.locator('textarea')
			.last()
			.fill(description);
		await page.getByText('Tool Description').click(); // leaves the field
		await editor.closeNode();
		const { nodes } = (await saved).postDataJSON() as WorkflowJson;
		const { parameters } = nodes.find(({ name }) => name === 'Send SMS')!;
		expect(parameters.text).toBe(fromAi('Text', description));
	});
});
