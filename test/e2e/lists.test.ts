/** The lists to choose from, as n8n's editor shows them. */
import type { INodeParameters } from 'n8n-workflow';
import { SEEDS } from '../../tools/sandbox';
import { chain, gateway } from '../../tools/shared/workflows';
import { describeInEditor } from './sharedHost';

describeInEditor('lists in the editor', (host) => {
	/** Opens a workflow of one node, and its form. */
	async function open(resource: string, operation: string, parameters: INodeParameters) {
		const node = gateway(host.credential, resource, operation, parameters);
		await host.editor.openWorkflow(await host.client.createWorkflow(chain('Lists', node)));
		await host.editor.openNode('Gateway');
		return host.editor.page.getByTestId('rlc-input');
	}

	async function chooseMode(mode: 'list' | 'id') {
		await host.editor.page.getByTestId('rlc-mode-selector').click();
		await host.editor.page.getByTestId(`mode-${mode}`).click();
	}

	/** What the open list offers, once it is there. */
	async function offered() {
		const entries = host.editor.page.getByTestId('rlc-item');
		await entries.first().waitFor();
		return await entries.allInnerTexts();
	}

	/** n8n has had the mark on the input itself and around it. */
	const search = 'input[data-test-id="rlc-search"], [data-test-id="rlc-search"] input';
	const { finished, running, scheduled } = SEEDS.campaigns.sms;
	const reminder = `Lembrete de consulta · 0 of 3 delivered · …${scheduled.slice(-4)}`;

	it('a campaign of the channel, from a form that held a plain text', async () => {
		const input = await open('campaign', 'get', { channel: 'sms', campaignId: finished });
		expect(await input.inputValue()).toBe(finished);
		await chooseMode('list');
		await input.click();
		expect(await offered()).toEqual([
			`Boas-vindas · 4 of 6 delivered · …${finished.slice(-4)}`,
			reminder,
			`Envios avulsos · 0 of 0 delivered · …${running.slice(-4)}`,
		]);
		await host.editor.page.locator(search).fill('lembrete');
		await host.editor.page.getByTestId('rlc-item').nth(1).waitFor({ state: 'detached' });
		expect(await offered()).toEqual([reminder]);
		await host.editor.page.getByTestId('rlc-item').click();
		expect(await input.inputValue()).toBe(reminder);
		await chooseMode('id');
		expect(await input.inputValue()).toBe(scheduled);
	});
});
