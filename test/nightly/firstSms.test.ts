/** 'Your first SMS' of docs/first-steps.md, as it stands there, in an n8n where nothing is set up yet. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { startHost, type Host } from '../../tools/host';
import { Editor } from '../../tools/host/editor';
import { chosen, packageFolder } from '../../tools/host/paths';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { testEnvironment } from '../e2e/environment';
import { describeInChromium } from '../e2e/sharedHost';

/** Names of buttons and fields in the numbered steps. */
const named = [
	...readFileSync(path.join(packageFolder, 'docs/first-steps.md'), 'utf8')
		.split('## Your first SMS')[1]!
		.split('\n## ')[0]!
		.matchAll(/\*\*([^*]+)\*\*/g),
].map(([, name]) => name);

describeInChromium('the first SMS', () => {
	let host: Host;
	let sandbox: Sandbox;
	let editor: Editor;

	beforeAll(async () => {
		host = await startHost({ n8n: chosen, env: testEnvironment });
		sandbox = await startSandbox();
		editor = await Editor.start(host.url, host.client);
	});
	afterAll(async () => {
		await editor?.stop();
		await host?.stop();
		await sandbox?.close();
	});

	it('is sent in eight clicks, and fits on the screen', async () => {
		const { page } = editor;
		let clicks = 0;
		const click = async (locator: ReturnType<typeof page.getByText>) => {
			await locator.first().click();
			clicks++;
		};
		const fill = async (name: string, value: string) =>
			await page.getByTestId(`parameter-input-${name}`).locator('input, textarea').fill(value);

		await page.goto('workflow/new');
		await page.getByText('Add first step…').waitFor();
		await click(page.getByTestId('canvas-plus-button'));
		await click(page.getByText('Trigger manually'));
		await click(page.getByTestId('canvas-handle-plus'));
		await page.getByTestId('node-creator-search-bar').fill('SMS');
		await click(page.getByText('Messaging Gateway', { exact: true }));
		await page.getByText(/^Actions/).waitFor();
		await click(page.getByText('Send SMS', { exact: true }));
		const form = page.getByTestId('node-parameters');
		await click(form.getByRole('button', { name: 'Connect to Messaging Gateway' }));
		await fill('baseUrl', sandbox.credential.baseUrl);
		await fill('apiKey', sandbox.credential.apiKey);
		await fill('defaultCountryCode', '55');
		await click(page.getByRole('button', { name: 'Save', exact: true }));
		await page.getByTestId('credential-edit-dialog').waitFor({ state: 'hidden' });
		await fill('to', '(11) 91234-5678');
		await fill('text', 'My first SMS');
		const hidden = await form.evaluate(
			({ parentElement: panel }) => panel!.scrollHeight - panel!.clientHeight,
		);
		expect(hidden).toBeLessThanOrEqual(0);
		await click(page.getByTestId('node-execute-button'));
		await page.getByTestId('output-panel').getByText('messageId').first().waitFor();
		expect(sandbox.accepted()).toMatchObject([{ to: '+5511912345678', text: 'My first SMS' }]);
		expect(clicks).toBe(8);
	});

	it('names what is on the screen', () => {
		const onScreen = [
			...['Add first step…', 'Trigger manually', 'Messaging Gateway', 'Actions', 'Send SMS'],
			...['Connect to Messaging Gateway', 'Base URL', 'API Key', 'Save', 'To', 'Text'],
			...['Execute step', '+', 'SMS', 'Default Country Code'],
		];
		expect(named.filter((name) => !onScreen.includes(name!))).toEqual([]);
	});
});
