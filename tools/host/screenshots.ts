/**
 * Takes the screenshots in docs/images/ in the real editor, with the sandbox: `npx tsx
 * tools/host/screenshots.ts [name …]`. Look at each one.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';
import { startSandbox, type Sandbox } from '../sandbox';
import { chain, gateway, items } from '../shared/workflows';
import type { CredentialReference, WorkflowJson } from './client';
import { importComparison } from './demo/comparison';
import { Editor } from './editor';
import { importExamples, prepareExample } from './examples';
import { startHost, type Host } from './index';
import { packageFolder } from './paths';

const imagesFolder = path.join(packageFolder, 'docs', 'images');
const [, , ...only] = process.argv;
const recipient = '5511912345678';
const WIDEST = 800; // in points, as the documents show it; a point has two pixels

/** Hides whatever would cover the picture: tooltips, popovers, the node's neighbours, and notes of success. */
const hidden = `[data-reka-popper-content-wrapper], [role="tooltip"], [data-test-id="floating-nodes"],
	[data-test-id="execute-workflow-button"], .tab-bar-container, .el-notification:has(.el-notification--success) { display: none !important; }
	[data-test-id="ndv"], .el-dialog, .el-notification { border-radius: 0 !important; }`;

interface Studio {
	host: Host;
	sandbox: Sandbox;
	credential: CredentialReference;
	editor: Editor;
	/** Opens the example of this name. */
	open(name: string): Promise<void>;
}

interface Scene {
	/** The size of the window. */
	width?: number;
	height: number;
	/** Pixels per pixel of the window; less than two where it is wider than the picture is shown. */
	scale?: number;
	/** Sets the scene. Returns the parts of the window that the picture goes from and to. */
	set(studio: Studio): Promise<Locator[]>;
}

const panel = ({ page }: Editor) => page.locator('.node-settings');
const output = ({ page }: Editor) => page.getByTestId('output-panel');

/** The scenes, by name of the screenshot. */
const scenes: Record<string, Scene> = {
	'send-sms': {
		width: 1040,
		height: 770,
		scale: 1.6,
		async set({ editor, host, credential }) {
			const workflow = toContacts(credential, contacts, {
				text: '=Hello {{ $json.name }}, your order {{ $json.order }} is on its way.',
				options: {
					deduplication: { values: { key: '=shipped-{{ $json.order }}', oncePer: 'key' } },
				},
			});
			await editor.openWorkflow(await host.client.createWorkflow(workflow));
			await editor.execute();
			await editor.openNode('Send SMS');
			await output(editor).getByText('Schema', { exact: true }).click();
			return [editor.page.getByTestId('ndv')];
		},
	},
	'send-between': {
		height: 860,
		async set({ editor, open }) {
			await open('Reminders in office hours');
			await editor.openNode('Send Reminder');
			await editor.page.getByText('Outside', { exact: true }).first().scrollIntoViewIfNeeded();
			return [panel(editor)];
		},
	},
	'dry-run': {
		height: 770,
		async set({ editor, host, credential }) {
			const [ana, bruno] = contacts;
			const rows = [ana!, { ...bruno!, phone: 'bruno@example.com' }];
			const workflow = toContacts(credential, rows, {
				text: '=Hello {{ $json.name }}, our spring sale begins on Monday.',
				options: { dryRun: true },
			});
			await editor.openWorkflow(await host.client.createWorkflow(workflow));
			await editor.execute();
			await editor.openNode('Send SMS');
			await output(editor).getByText('JSON', { exact: true }).click();
			return [panel(editor), output(editor)];
		},
	},
	'on-error': {
		height: 640,
		async set({ editor, open }) {
			await open('CRM contact to SMS');
			await editor.openNode('Send SMS');
			await editor.page.getByTestId('tab-settings').click();
			const field = editor.page.getByTestId('parameter-item').filter({ hasText: 'On Error' });
			await field.evaluate((element) => (element.style.outline = '3px solid #e0245e'));
			await field.evaluate((element) => (element.style.outlineOffset = '5px'));
			return [panel(editor)];
		},
	},
	'status-trigger': {
		height: 740,
		async set({ editor, open, sandbox }) {
			await sandbox.advance();
			await open('Campaign status to row');
			await editor.openNode('Status Changed');
			await editor.page.getByRole('button', { name: 'Fetch Test Event' }).first().click();
			await editor.page.getByText('previousStatus').first().waitFor();
			await output(editor).getByText('Schema', { exact: true }).click();
			return [panel(editor), output(editor)];
		},
	},
	'trigger-listening': {
		height: 620,
		async set({ editor, open }) {
			await open('Delivery report to row');
			await editor.openNode('Delivery Report');
			await editor.page.getByTestId('trigger-execute-button').first().click();
			await editor.page.getByText('Listening for test event').first().waitFor();
			return [editor.page.getByTestId('ndv')];
		},
	},
	'trigger-refusal': {
		width: WIDEST,
		height: 640,
		async set({ editor, host, credential, sandbox }) {
			// The account's webhook belongs to another system: publishing fails after n8n's five attempts.
			sandbox.webhook = { url: 'https://crm.example.com/hooks/1', enabled: true };
			const account = { messagingGatewayApi: credential };
			const workflow = await prepareExample(host.client, 'delivery-report-to-row', account);
			await editor.openWorkflow(await host.client.createWorkflow(workflow));
			await editor.page.getByTestId('workflow-open-publish-modal-button').click();
			await editor.page.getByTestId('workflow-publish-button').click();
			const refusal = editor.page.getByText('The account has one webhook').first();
			await refusal.waitFor({ timeout: 60_000 });
			// On a slow machine, n8n does not get to say that it is published.
			const dialog = editor.page.getByRole('button', { name: 'Got it' });
			if (await dialog.isVisible()) await dialog.click();
			return [editor.page.locator('.el-notification', { has: refusal })];
		},
	},
	'send-and-wait': {
		height: 800,
		async set({ editor, open }) {
			await open('Approval by SMS');
			await editor.openNode('Ask Manager');
			return [panel(editor)];
		},
	},
	'human-review': {
		width: 1100,
		height: 900,
		scale: 1.6,
		async set({ editor, open }) {
			await open('AI agent that texts after review');
			await editor.page.getByText('Text the Customer').first().waitFor();
			return [editor.page.getByTestId('canvas-wrapper')];
		},
	},
	credential: {
		width: 1100,
		height: 940,
		scale: 1.6,
		async set({ editor, credential }) {
			await editor.openCredential(credential.id);
			await editor.page.getByText('Connection tested successfully').waitFor();
			const url = editor.page.getByTestId('parameter-input-baseUrl').locator('input');
			await url.evaluate((element) => {
				(element as unknown as { value: string }).value = 'https://api.example.com'; // not the sandbox's
			});
			return [editor.page.getByTestId('editCredential-modal')];
		},
	},
	question: {
		width: 320,
		height: 440,
		async set({ editor, host, credential, sandbox }) {
			await host.client.untilItWaits(
				await host.client.run(await host.client.createWorkflow(approval(credential))),
			);
			await editor.page.goto(sandbox.accepted({ to: recipient }).at(-1)!.text.split('\n').at(-1)!);
			return [editor.page.locator('body')];
		},
	},
	messages: {
		width: 900,
		height: 900,
		scale: 1.75,
		async set({ editor, host, credential, sandbox }) {
			await sendAllSorts(host, credential, sandbox);
			await editor.page.goto(`${sandbox.url}/_sandbox/messages`);
			await editor.page.getByText('Refused').first().waitFor();
			return [editor.page.locator('html')];
		},
	},
};

async function main(): Promise<void> {
	mkdirSync(imagesFolder, { recursive: true });
	const sandbox = await startSandbox();
	const host = await startHost();
	try {
		const account = 'Messaging Gateway account';
		const credential = await host.client.createCredential(
			{ ...sandbox.credential, serviceDetails: false },
			'messagingGatewayApi',
			account,
		);
		const model = await host.client.createCredential({ apiKey: 'sk-sandbox' }, 'openAiApi');
		const credentials = { messagingGatewayApi: credential, openAiApi: model };
		const ids = await importExamples(host.client, credentials);
		for (const [name, { width = 1200, height, scale = 2, set }] of Object.entries(scenes)) {
			if (only.length > 0 && !only.includes(name)) continue;
			sandbox.reset();
			const editor = await Editor.start(host.url, host.client, { width, height, scale });
			const open = async (example: string) => await editor.openWorkflow(ids.get(example) ?? '');
			try {
				await shoot(name, editor, await set({ host, sandbox, credential, editor, open }));
			} finally {
				await editor.stop();
			}
		}
	} finally {
		await host.stop();
		await sandbox.close();
	}
}

/** Takes the picture from the upper left corner of the first part to the lower right of the last. */
async function shoot(name: string, { page }: Editor, parts: Locator[]): Promise<void> {
	await page.mouse.move(0, 0); // nothing is hovered over
	// Only the editor has anything to hide; other pages let no style in.
	if ((await page.locator('#app').count()) > 0) await page.addStyleTag({ content: hidden });
	await page.waitForTimeout(1_000); // for animations and icons
	const boxes = (await Promise.all(parts.map(boxesOf))).flat();
	const x = Math.max(0, Math.min(...boxes.map(({ left }) => left)));
	const y = Math.max(0, Math.min(...boxes.map(({ top }) => top)));
	const width = Math.max(...boxes.map(({ right }) => right)) - x;
	const height = Math.max(...boxes.map(({ bottom }) => bottom)) - y;
	await page.screenshot({
		path: path.join(imagesFolder, `${name}.png`),
		clip: { x, y, width, height },
	});
	console.log(`docs/images/${name}.png, ${Math.round(width)} wide`);
}

const boxesOf = async (part: Locator) =>
	await part.evaluateAll((elements) =>
		elements.map((element) => {
			const { left, top, right, bottom } = element.getBoundingClientRect();
			return { left, top, right, bottom };
		}),
	);

const contacts = [
	{ name: 'Ana', phone: '+55 11 91234-5678', order: '4711' },
	{ name: 'Bruno', phone: '+55 21 99876-5432', order: '4712' },
	{ name: 'Carla', phone: '+55 31 98888-7777', order: '4713' },
];

/** An SMS to each of these. */
function toContacts(
	credential: CredentialReference,
	rows: typeof contacts,
	parameters: INodeParameters,
): WorkflowJson {
	const sms = { to: '={{ $json.phone }}', ...parameters };
	const [all, each] = items(...rows);
	return chain(
		'Contacts',
		{ ...all!, name: 'Orders' },
		{ ...each!, name: 'Contacts' },
		{ ...gateway(credential, 'message', 'sendSms', sms), name: 'Send SMS' },
	);
}

const approval = (credential: CredentialReference): WorkflowJson =>
	chain(
		'Question',
		gateway(credential, 'message', 'sendAndWait', {
			to: recipient,
			message: 'Order 4711 costs 1,250.00. May we send it?',
			approvalOptions: {
				values: {
					approvalType: 'double',
					approveLabel: 'Send it',
					disapproveLabel: 'Do not send it',
				},
			},
			options: { responseFormTitle: 'Order 4711' },
		}),
	);

/** Sends what `npm start` lets people send: the same list by both nodes, an answer lost, one refused, an image. */
async function sendAllSorts(
	{ client }: Host,
	credential: CredentialReference,
	sandbox: Sandbox,
): Promise<void> {
	const { own, http } = await importComparison(client, credential, sandbox.url);
	for (const id of [http, own]) {
		sandbox.nextMessage = 'lost';
		const execution = await client.waitForExecution(await client.run(id));
		await client.waitForExecution(await client.retry(execution.id));
	}
	const post = async (where: string, body: object) =>
		await fetch(`${sandbox.url}${where}`, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-api-key': sandbox.credential.apiKey,
				'x-instance-token': sandbox.credential.instanceToken,
			},
			body: JSON.stringify(body),
		});
	const sms = async (number: string, msg: string) =>
		await post('/v1/sms/enviar', { to: number, msg, tiposms: '1' });
	await sms('5511912340000', 'Hello Carla, your order 4713 is on its way.');
	await sms(recipient, 'Hello Ana, your order 4711 is on its way.');
	for (let step = 0; step < 2; step++) await sandbox.advance();
	sandbox.nextMessage = 'refused';
	await sms('5521998765432', 'Hello Bruno, your order 4712 is on its way.');
	await post('/v2/chatapp/message/sendMedia', {
		messagetype: 'media',
		message: {
			mediatype: 'image',
			mediaurl: picture,
			mimetype: 'image/svg+xml',
			msg: 'It looks like this.',
			scheduled_at: '',
			status: 'pending',
			to: recipient,
		},
	});
}

const picture = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"
	viewBox="0 0 16 9" width="220"><rect width="16" height="9" fill="#bfe3f7"/><circle cx="12" cy="2.6"
	r="1.2" fill="#ffd75e"/><path d="M0 9 5 3l4 6z" fill="#5b8c5a"/><path d="m6 9 4-4 6 4z"
	fill="#3f6f4a"/></svg>`)}`;

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
