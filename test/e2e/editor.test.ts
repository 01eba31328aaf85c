/** The forms and an error as n8n's editor shows them. */
import type { INodeParameters } from 'n8n-workflow';
import type { CredentialReference, HostClient } from '../../host';
import { Editor, isChromiumInstalled } from '../../host/editor';
import { startSandbox, type Sandbox } from '../../sandbox';
import { sharedHost } from './sharedHost';
import { chain, gateway, node } from './workflows';

jest.setTimeout(180_000);

const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';

/** Below Resource and Operation, as a newcomer finds it. */
const forms: Array<[resource: string, operation: string, INodeParameters, fields: string[]]> = [
	['apiKey', 'getAll', {}, ['Return All', 'Limit', 'Filters', 'Options']],
	['apiKey', 'getAll', { returnAll: true }, ['Return All', 'Filters', 'Options']],
	['apiKey', 'revoke', {}, ['API Key', 'Options']],
	['campaign', 'delete', {}, ['Campaign ID', 'Options']],
	['campaign', 'get', {}, ['Channel', 'Campaign ID', 'Output', 'Options']],
	['campaign', 'getAll', {}, ['Channel', 'Return All', 'Limit', 'Include Messages', 'Options']],
	['instance', 'getConnectionState', {}, ['Options']],
	['instance', 'logOut', {}, ['Instance', 'Options']],
	[
		'message',
		'sendAudio',
		{},
		['To', 'Audio Source', 'Input Data Field Name', 'Chat App Mode', 'Simplify', 'Options'],
	],
	[
		'message',
		'sendAudio',
		{ audioSource: 'base64' },
		['To', 'Audio Source', 'Audio (Base64)', 'Chat App Mode', 'Simplify', 'Options'],
	],
	['message', 'sendMedia', {}, ['To', 'Media Type', 'Media URL', 'Caption', 'Simplify', 'Options']],
	[
		'message',
		'sendAndWait',
		{},
		['To', 'Message', 'Response Type', 'Approval Options', 'SMS Type', 'Options'],
	],
	[
		'message',
		'sendAndWait',
		{ responseType: 'choice' },
		['To', 'Message', 'Response Type', 'Choices', 'SMS Type', 'Options'],
	],
	[
		'message',
		'sendAndWait',
		{ responseType: 'freeText' },
		['To', 'Message', 'Response Type', 'SMS Type', 'Options'],
	],
	['message', 'sendSms', {}, ['To', 'Text', 'SMS Type', 'Simplify', 'Options']],
	['webhook', 'get', {}, ['Options']],
	['webhook', 'set', {}, ['URL', 'Enable', 'Options']],
	['webhook', 'set', { enable: false }, ['URL', 'Enable', 'Options']],
	['webhook', 'set', { enable: '={{ $json.on }}' }, ['URL', 'Enable', 'Options']],
];

(needs ? describe.skip : describe)(`in the editor${needs}`, () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let credential: CredentialReference;
	let editor: Editor;

	beforeAll(async () => {
		const host = await sharedHost();
		client = host.client;
		sandbox = await startSandbox();
		credential = await client.createCredential(sandbox.credential);
		editor = await Editor.start(host.url, client);
	});
	afterAll(async () => {
		await editor?.stop();
		await sandbox?.close();
	});

	it('each operation asks for what it needs, and for nothing else', async () => {
		const nodes = forms.map(([resource, operation, parameters], index) => ({
			...gateway(credential, resource, operation, parameters),
			name: `Node ${index}`,
		}));
		await editor.openWorkflow(await client.createWorkflow(chain('Forms', ...nodes)));
		const shown = [];
		for (const [index, [resource, operation, parameters]] of forms.entries()) {
			await editor.openNode(`Node ${index}`);
			const [first, second, ...fields] = await editor.fields();
			expect([first, second]).toEqual(['Resource', 'Operation']);
			shown.push([resource, operation, parameters, fields]);
			await editor.closeNode();
		}
		expect(shown).toEqual(forms);
	});

	it('the trigger asks what to do with a webhook in use', async () => {
		const type = 'n8n-nodes-messaging-gateway.messagingGatewayTrigger';
		const trigger = node(
			'Trigger',
			type,
			{},
			{ typeVersion: 2, credentials: { messagingGatewayApi: credential } },
		);
		await editor.openWorkflow(await client.createWorkflow(chain('Trigger form', trigger)));
		await editor.openNode('Trigger');
		expect(await editor.fields()).toEqual(['If the Webhook Is in Use', 'Options']);
	});

	it('an error says what happened and what to do', async () => {
		sandbox.instance.connected = false;
		const send = gateway(credential, 'message', 'sendMedia', {
			to: '5511912345678',
			mediaUrl: 'https://example.com/photo.jpg',
		});
		await editor.openWorkflow(await client.createWorkflow(chain('Error', send)));
		await editor.execute();
		await editor.openNode('Gateway');
		const output = editor.page.getByTestId('output-panel');
		await output.getByText('Instância desconectada.').first().waitFor();
		const text = await output.innerText();
		expect(text).toMatch(/connect/i);
		expect(text).not.toContain(sandbox.credential.apiKey);
		expect(text).not.toContain(sandbox.credential.instanceToken);
		expect(text).not.toMatch(/^\s*at .*:\d+:\d+/m);
	});
});
