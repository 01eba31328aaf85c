/**
 * Takes the pictures in docs/images/ from the real editor, against the sandbox:
 * `npx tsx host/screenshots.ts`, or those of docs/screens.md alone: `npx tsx host/screenshots.ts forms`.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../sandbox';
import type { CredentialReference } from './client';
import { Editor } from './editor';
import { shootExamples } from './examplePictures';
import { shootForms } from './formPictures';
import { importExamples } from './examples';
import { startHost, type Host } from './index';
import { packageFolder } from './paths';
import { noteTaken } from './pictures';
import { shootQuestions } from './questionPictures';

const folder = path.join(packageFolder, 'docs', 'images');

async function main(): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const sandbox = await startSandbox();
	const host = await startHost();
	try {
		const credential = await host.client.createCredential(
			sandbox.credential,
			'messagingGatewayApi',
			'Messaging Gateway account',
		);
		await shootForms({ url: host.url, client: host.client, sandbox, credential });
		if (!process.argv.includes('forms')) await shootPages(host, sandbox, credential);
	} finally {
		await host.stop();
		await sandbox.close();
	}
}

/** Those of the other pages. */
async function shootPages(
	host: Host,
	sandbox: Sandbox,
	credential: CredentialReference,
): Promise<void> {
	const editor = await Editor.start(host.url, host.client);
	const { page } = editor;
	try {
		const ids = await importExamples(host.client, { messagingGatewayApi: credential });
		const open = async (name: string) => await editor.openWorkflow(ids.get(name) ?? '');

		await open('CRM contact to SMS');
		await editor.execute('When Clicking Execute');
		await editor.openNode('Send SMS');
		await shoot(page, 'send-sms');
		await editor.closeNode();

		await sandbox.advance();
		await open('Campaign status to row');
		await editor.openNode('Status Changed');
		await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
		await page.getByText('previousStatus').first().waitFor();
		await shoot(page, 'status-trigger');
		await editor.closeNode();

		await open('Delivery report to row');
		await editor.openNode('Delivery Report');
		await page.getByTestId('trigger-execute-button').first().click();
		await page.getByText('Waiting for a delivery').first().waitFor();
		await shoot(page, 'trigger-listening');
		await page.getByTestId('trigger-execute-button').first().click();
		await editor.closeNode();

		while (sandbox.webhook.enabled) await page.waitForTimeout(100); // what the test has borrowed
		// Somebody else's: publishing is refused after n8n's five attempts.
		sandbox.webhook = { url: 'https://crm.example.com/hooks/1', enabled: true };
		await open('Delivery report to row');
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
		await page.getByText('The account has one webhook').first().waitFor({ timeout: 60_000 });
		await page.getByRole('button', { name: 'Got it' }).click();
		await shoot(page, 'trigger-refusal');

		await shootQuestions(
			{
				client: host.client,
				sandbox,
				editor,
				credential,
				folder,
				shoot: async (name) => await shoot(page, name),
			},
			ids.get('Approval by SMS') ?? '',
		);

		await editor.openCredential(credential.id);
		await shoot(page, 'credential');

		await shootExamples(host.client, { editor, folder }, credential);
	} finally {
		await editor.stop();
	}
}

async function shoot(page: Page, name: string): Promise<void> {
	await page.waitForTimeout(1_000); // animations and late icons
	await page.screenshot({ path: path.join(folder, `${name}.png`) });
	noteTaken(name);
	console.log(`docs/images/${name}.png`);
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
