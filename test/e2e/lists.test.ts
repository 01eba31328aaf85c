/** The lists to choose from, as n8n's editor shows them. */
import type { INodeParameters } from 'n8n-workflow';
import type { CredentialReference, HostClient } from '../../tools/host';
import { Editor, isChromiumInstalled } from '../../tools/host/editor';
import { SEEDS, startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { chain, gateway } from '../../tools/shared/workflows';

const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';

(needs ? describe.skip : describe)(`lists in the editor${needs}`, () => {
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
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await editor?.stop();
		await sandbox?.close();
	});

	/** Opens a workflow of one node, and its form. */
	async function open(resource: string, operation: string, parameters: INodeParameters) {
		const node = gateway(credential, resource, operation, parameters);
		await editor.openWorkflow(await client.createWorkflow(chain('Lists', node)));
		await editor.openNode('Gateway');
		return editor.page.getByTestId('rlc-input');
	}

	async function chooseMode(mode: 'list' | 'id') {
		await editor.page.getByTestId('rlc-mode-selector').click();
		await editor.page.getByTestId(`mode-${mode}`).click();
	}

	/** What the open list offers, once it is there. */
	async function offered() {
		const entries = editor.page.getByTestId('rlc-item');
		await entries.first().waitFor();
		return await entries.allInnerTexts();
	}

	/** n8n has had the mark on the input itself and around it. */
	const search = 'input[data-test-id="rlc-search"], [data-test-id="rlc-search"] input';
	const finished = SEEDS.campaigns.sms.finished;

	it('a campaign of the channel, from a form that held a plain text', async () => {
		const input = await open('campaign', 'get', { channel: 'sms', campaignId: finished });
		expect(await input.inputValue()).toBe(finished);
		await chooseMode('list');
		await input.click();
		expect(await offered()).toEqual([
			'Boas-vindas · 4 of 6 delivered',
			'Lembrete de consulta · 0 of 3 delivered',
			'Envios avulsos · 0 of 0 delivered',
		]);
		await editor.page.locator(search).fill('lembrete');
		await editor.page.getByTestId('rlc-item').nth(1).waitFor({ state: 'detached' });
		expect(await offered()).toEqual(['Lembrete de consulta · 0 of 3 delivered']);
		await editor.page.getByTestId('rlc-item').click();
		expect(await input.inputValue()).toBe('Lembrete de consulta · 0 of 3 delivered');
		await chooseMode('id');
		expect(await input.inputValue()).toBe(SEEDS.campaigns.sms.scheduled);
	});
});
