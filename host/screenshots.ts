/**
 * Takes the pictures in docs/images/ from the real editor, against the sandbox:
 * `tsx host/screenshots.ts`. Needs Chromium (CHROMIUM_PATH, default /usr/bin/chromium).
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, selectors, type Page } from 'playwright-core';
import { startSandbox } from '../sandbox';
import { readExamples, withCredential } from './examples';
import { startHost } from './index';
import { packageFolder } from './paths';

const folder = path.join(packageFolder, 'docs', 'images');
const viewport = { width: 1400, height: 900 };

selectors.setTestIdAttribute('data-test-id');

async function main(): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const sandbox = await startSandbox();
	const host = await startHost();
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
	try {
		const credential = await host.client.createCredential(
			sandbox.credential,
			'messagingGatewayApi',
			'Messaging Gateway account',
		);
		const ids = new Map<string, string>();
		for (const example of readExamples()) {
			const id = await host.client.createWorkflow(withCredential(example, credential));
			ids.set(example.name, id);
		}
		const sms = `${host.url}/workflow/${ids.get('CRM contact to SMS')}`;
		const media = `${host.url}/workflow/${ids.get('Media and audio to one contact')}`;

		const context = await browser.newContext({ viewport, deviceScaleFactor: 1 });
		await context.addCookies(host.client.cookies());
		const page = await context.newPage();

		await page.goto(sms);
		await execute(page);
		await shoot(page, 'workflow');
		await openNode(page, 'Send SMS');
		await shoot(page, 'send-sms');
		await closeNode(page);

		await page.getByTestId('node-creator-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill('Messaging');
		const entry = page.getByTestId('node-creator-item-name').first();
		await entry.waitFor();
		await shoot(page, 'node-creator');
		await entry.click();
		await page.getByText('Send an SMS').waitFor();
		await shoot(page, 'node-actions');

		await page.goto(media);
		await execute(page);
		for (const [node, picture] of [
			['Send Image', 'send-media'],
			['Send Audio', 'send-audio'],
		] as const) {
			await openNode(page, node);
			await shoot(page, picture);
			await closeNode(page);
		}

		sandbox.instance.connected = false;
		await execute(page);
		await openNode(page, 'Send Image');
		await shoot(page, 'error');
		sandbox.instance.connected = true;

		const report = `${host.url}/workflow/${ids.get('Delivery report to row')}`;
		await page.goto(report);
		await openNode(page, 'Delivery Report');
		await page.getByTestId('trigger-execute-button').first().click();
		await page.getByText('Waiting for a delivery').first().waitFor();
		await shoot(page, 'trigger-listening');
		await page.getByTestId('trigger-execute-button').first().click();
		await closeNode(page);

		// Somebody else's: publishing is refused after n8n's five attempts.
		sandbox.webhook = { url: 'https://crm.example.com/hooks/1', enabled: true };
		await page.goto(report);
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
		await page.getByText('The account has one webhook').first().waitFor({ timeout: 60_000 });
		await page.getByRole('button', { name: 'Got it' }).click();
		await shoot(page, 'trigger-refusal');

		await page.goto(`${host.url}/home/credentials/${credential.id}`);
		await page.getByTestId('credential-edit-dialog').waitFor();
		await shoot(page, 'credential');
	} finally {
		await browser.close();
		await host.stop();
		await sandbox.close();
	}
}

/** Runs the open workflow, as a person does, and waits for its end. */
async function execute(page: Page): Promise<void> {
	await page.getByTestId('execute-workflow-button').click();
	const toast = page.getByRole('alert').first();
	await toast.waitFor();
	await toast.locator('.el-notification__closeBtn').click();
}

async function openNode(page: Page, name: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	await page.getByTestId('ndv').waitFor();
}

async function closeNode(page: Page): Promise<void> {
	await page.keyboard.press('Escape');
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

async function shoot(page: Page, name: string): Promise<void> {
	await page.waitForTimeout(1_000); // animations and late icons
	await page.screenshot({ path: path.join(folder, `${name}.png`) });
	console.log(`docs/images/${name}.png`);
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
