/** The steps of docs/ai.md in n8n's editor: what lets a model fill a field, and what it is told then. */
import type { CredentialReference, HostClient, WorkflowJson } from '../../tools/host';
import { Editor, isChromiumInstalled } from '../../tools/host/editor';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { connectBelow, fromAi, tool } from './agent/tools';
import { sharedHost } from './sharedHost';
import { chain, node } from '../../tools/shared/workflows';

const description = 'Plain text, at most 160 characters';

const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';

(isChromiumInstalled ? describe : describe.skip)(`a tool in the editor${needs}`, () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let editor: Editor;
	let credential: CredentialReference;

	beforeAll(async () => {
		const host = await sharedHost();
		({ client } = host);
		sandbox = await startSandbox();
		credential = await client.createCredential(
			sandbox.credential,
			undefined,
			'Messaging Gateway account',
		);
		editor = await Editor.start(host.url, client);
	});
	afterAll(async () => {
		await editor.stop();
		await sandbox.close();
	});

	it('lets the model fill a field, by its name and the text that is entered there', async () => {
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
