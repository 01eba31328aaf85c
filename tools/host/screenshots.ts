/**
 * Takes the screenshots in docs/images/ in the real editor, with the sandbox: `npx tsx
 * tools/host/screenshots.ts [name …]`. Look at each one.
 */
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../sandbox';
import { onceBy } from '../shared/deduplication';
import { chain, gateway, items } from '../shared/workflows';
import type { CredentialReference, HostClient, WorkflowJson } from './client';
import { importComparison } from './demo/comparison';
import { Editor } from './editor';
import { prepareExample } from './examples';
import { startHost } from './index';
import { packageFolder } from './paths';

interface Studio {
	client: HostClient;
	sandbox: Sandbox;
	credentials: Record<'messagingGatewayApi' | 'openAiApi', CredentialReference>;
	editor: Editor;
	page: Page;
}

interface Picture {
	height: number;
	/** The window's width, and pixels of the picture per pixel of it, where it is wider than it is shown. */
	width?: number;
	scale?: number;
	/** The file of an example to open, or another workflow. */
	workflow?: string | ((credential: CredentialReference) => WorkflowJson);
	/** Whether to execute the workflow. */
	isRun?: true;
	/** A node to open. */
	node?: string;
	/** What to do then. @param id of the workflow */
	act?(studio: Studio, id: string): Promise<unknown>;
	/** Selectors of the parts of the window that the picture goes from and to. Default: the node's panel. */
	parts?: string[];
}

const panel = '.node-settings';
const output = '[data-test-id="output-panel"]';
const openNode = '[data-test-id="ndv"]';
const refusal = '.el-notification:has-text("The account has one webhook")';

/** Hides whatever would cover the picture: tooltips, popovers, the node's neighbours, and notes of success. */
const hidden = `[data-reka-popper-content-wrapper], [role="tooltip"], [data-test-id="floating-nodes"],
	[data-test-id="execute-workflow-button"], .tab-bar-container, .el-notification:has(.el-notification--success) { display: none !important; }
	[data-test-id="ndv"], .el-dialog, .el-notification { border-radius: 0 !important; }`;

const showOutput = async ({ page }: Studio, format: 'Schema' | 'JSON') =>
	await page.locator(output).getByText(format, { exact: true }).click();

const ana = { name: 'Ana', phone: '+55 11 91234-5678', order: '4711' };
const bruno = { name: 'Bruno', phone: '+55 21 99876-5432', order: '4712' };
const carla = { name: 'Carla', phone: '+55 31 98888-7777', order: '4713' };
const onItsWay = '=Hello {{ $json.name }}, your order {{ $json.order }} is on its way.';

/** An SMS to each of these. */
const toContacts =
	(rows: Array<typeof ana>, parameters: INodeParameters) =>
	(credential: CredentialReference): WorkflowJson => {
		const sms = { to: '={{ $json.phone }}', ...parameters };
		const [all, each] = items(...rows);
		return chain(
			'Contacts',
			{ ...all!, name: 'Orders' },
			{ ...each!, name: 'Contacts' },
			{ ...gateway(credential, 'message', 'sendSms', sms), name: 'Send SMS' },
		);
	};

const pictures: Record<string, Picture> = {
	'send-sms': {
		...{ width: 1040, height: 770, scale: 1.6 },
		workflow: toContacts([ana, bruno, carla], {
			text: onItsWay,
			options: onceBy('=shipped-{{ $json.order }}'),
		}),
		...{ isRun: true, node: 'Send SMS' },
		act: async (studio) => await showOutput(studio, 'Schema'),
		parts: [openNode],
	},
	'send-between': {
		height: 860,
		...{ workflow: 'reminders-in-office-hours', node: 'Send Reminder' },
		act: async ({ page }) =>
			await page.getByText('Outside', { exact: true }).first().scrollIntoViewIfNeeded(),
	},
	'dry-run': {
		height: 770,
		workflow: toContacts([ana, { ...bruno, phone: 'bruno@example.com' }], {
			text: '=Hello {{ $json.name }}, our spring sale begins on Monday.',
			options: { dryRun: true },
		}),
		...{ isRun: true, node: 'Send SMS' },
		act: async (studio) => await showOutput(studio, 'JSON'),
		parts: [panel, output],
	},
	'on-error': {
		height: 640,
		...{ workflow: 'crm-contact-to-sms', node: 'Send SMS' },
		async act({ page }) {
			await page.getByTestId('tab-settings').click();
			const field = page.getByTestId('parameter-item').filter({ hasText: 'On Error' });
			await field.evaluate(({ style }) => {
				Object.assign(style, { outline: '3px solid #e0245e', outlineOffset: '5px' });
			});
		},
	},
	'status-trigger': {
		height: 740,
		...{ workflow: 'campaign-status-to-row', node: 'Status Changed' },
		async act(studio) {
			const { page, sandbox } = studio;
			await sandbox.advance();
			await page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
			await page.getByText('previousStatus').first().waitFor();
			await showOutput(studio, 'Schema');
		},
		parts: [panel, output],
	},
	'trigger-listening': {
		height: 620,
		...{ workflow: 'delivery-report-to-row', node: 'Delivery Report' },
		async act({ page }) {
			await page.getByTestId('trigger-execute-button').first().click();
			await page.getByText('Listening for test event').first().waitFor();
		},
		parts: [openNode],
	},
	'trigger-refusal': {
		...{ width: 800, height: 640 },
		workflow: 'delivery-report-to-row',
		async act({ page, sandbox }) {
			// The account's webhook belongs to another system: publishing fails after n8n's five attempts.
			sandbox.webhook = { url: 'https://crm.example.com/hooks/1', enabled: true };
			await page.getByTestId('workflow-open-publish-modal-button').click();
			await page.getByTestId('workflow-publish-button').click();
			await page.locator(refusal).waitFor();
			// On a slow machine, n8n does not get to say that it is published.
			const dialog = page.getByRole('button', { name: 'Got it' });
			if (await dialog.isVisible()) await dialog.click();
		},
		parts: [refusal],
	},
	'send-and-wait': { height: 800, workflow: 'two-people-approve', node: 'Ask Manager' },
	'human-review': {
		...{ width: 1100, height: 900, scale: 1.6 },
		workflow: 'agent-sms-after-review',
		act: async ({ page }) => await page.getByText('Text the Customer').first().waitFor(),
		parts: ['[data-test-id="canvas-wrapper"]'],
	},
	credential: {
		...{ width: 1100, height: 940, scale: 1.6 },
		async act({ editor, page, credentials }) {
			await editor.openCredential(credentials.messagingGatewayApi.id);
			await page.getByText('Connection tested successfully').waitFor();
			const url = page.getByTestId('parameter-input-baseUrl').locator('input');
			await url.evaluate((field) => Object.assign(field, { value: 'https://api.example.com' })); // not the sandbox's
		},
		parts: ['[data-test-id="editCredential-modal"]'],
	},
	question: {
		...{ width: 320, height: 440 },
		workflow: 'approval-that-reminds',
		async act({ page, client, sandbox }, id) {
			await client.untilItWaits(await client.run(id));
			await page.goto(sandbox.accepted().at(-1)!.text.split('\n').at(-1)!);
		},
		parts: ['body'],
	},
	messages: {
		...{ width: 900, height: 900, scale: 1.75 },
		async act(studio) {
			await sendAllSorts(studio);
			await studio.page.goto(`${studio.sandbox.url}/_sandbox/messages`);
			await studio.page.getByText('Refused').first().waitFor();
		},
		parts: ['html'],
	},
};

async function main(only: string[]): Promise<void> {
	const sandbox = await startSandbox();
	const { client, url, stop } = await startHost();
	try {
		const data = { ...sandbox.credential, serviceDetails: false };
		const name = 'Messaging Gateway account';
		const credentials = {
			messagingGatewayApi: await client.createCredential(data, 'messagingGatewayApi', name),
			openAiApi: await client.createCredential({ apiKey: 'sk-sandbox' }, 'openAiApi'),
		};
		for (const [file, picture] of Object.entries(pictures)) {
			if (only.length > 0 && !only.includes(file)) continue;
			sandbox.reset();
			const { width = 1200, height, scale = 2 } = picture;
			const editor = await Editor.start(url, client, { width, height, scale });
			const studio = { client, sandbox, credentials, editor, page: editor.page };
			await take(file, picture, studio).finally(async () => await editor.stop());
		}
	} finally {
		await stop();
		await sandbox.close();
	}
}

/** Takes a picture from the upper left corner of its first part to the lower right of its last. */
async function take(
	name: string,
	{ workflow, isRun, node, act, parts = [panel] }: Picture,
	studio: Studio,
): Promise<void> {
	const { client, credentials, editor, page } = studio;
	let id = '';
	if (workflow) {
		const isExample = typeof workflow === 'string';
		const json = isExample
			? await prepareExample(client, workflow, credentials)
			: workflow(credentials.messagingGatewayApi);
		id = await client.createWorkflow(json);
		await editor.openWorkflow(id);
	}
	if (isRun) await editor.execute();
	if (node) await editor.openNode(node);
	await act?.(studio, id);
	await page.mouse.move(0, 0); // nothing is hovered over
	// Only the editor has anything to hide; other pages let no style in.
	if ((await page.locator('#app').count()) > 0) await page.addStyleTag({ content: hidden });
	await page.waitForTimeout(1_000); // for animations and icons
	const clip = await page.locator(parts.join()).evaluateAll((elements) => {
		const boxes = elements.map((element) => element.getBoundingClientRect());
		const x = Math.max(0, Math.min(...boxes.map(({ left }) => left)));
		const y = Math.max(0, Math.min(...boxes.map(({ top }) => top)));
		const width = Math.max(...boxes.map(({ right }) => right)) - x;
		return { x, y, width, height: Math.max(...boxes.map(({ bottom }) => bottom)) - y };
	});
	const file = path.join(packageFolder, 'docs', 'images', `${name}.png`);
	await page.screenshot({ path: file, clip });
	console.log(`${file}, ${Math.round(clip.width)} wide`);
}

/** Sends what `npm start` lets people send: the same list by both nodes, an answer lost, one refused. */
async function sendAllSorts({ client, credentials, sandbox }: Studio): Promise<void> {
	const credential = credentials.messagingGatewayApi;
	const { own, http } = await importComparison(client, credential, sandbox.url);
	for (const id of [http, own]) {
		sandbox.nextMessage = 'lost';
		const execution = await client.waitForExecution(await client.run(id));
		await client.waitForExecution(await client.retry(execution.id));
	}
	const sms = async (...rows: Array<typeof ana>) =>
		await client.execute(toContacts(rows, { text: onItsWay })(credential));
	await sms({ ...carla, phone: '+55 11 91234-0000' });
	await sms(ana);
	for (let step = 0; step < 2; step++) await sandbox.advance();
	sandbox.nextMessage = 'refused';
	await sms(bruno);
}

main(process.argv.slice(2)).catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
