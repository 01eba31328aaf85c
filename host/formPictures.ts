/** The pictures in docs/screens.md: every form, light and dark, and the page itself. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../sandbox';
import type { CredentialReference, HostClient, WorkflowJson } from './client';
import { Editor } from './editor';
import { packageFolder } from './paths';
import { withFewColours } from './png';
import {
	eventScreens,
	operationScreens,
	picturesFolder,
	screens,
	screensPage,
	sendSmsOptions,
	type Screen,
} from './screens';

interface Studio {
	url: string;
	client: HostClient;
	sandbox: Sandbox;
	credential: CredentialReference;
}

/** Of the window: enough for the longest form, and the output half as wide as a picture may be. */
const [width, height] = [1350, 1500];

const docs = path.join(packageFolder, 'docs');
const packageName = 'n8n-nodes-messaging-gateway';

export async function shootForms(studio: Studio): Promise<void> {
	mkdirSync(path.join(docs, picturesFolder), { recursive: true });
	const workflows = {
		forms: await studio.client.createWorkflow(formsWorkflow(studio.credential)),
		error: await studio.client.createWorkflow(errorWorkflow(studio.credential)),
	};
	for (const scheme of ['light', 'dark'] as const) {
		const editor = await Editor.start(studio.url, studio.client, {
			scheme,
			width,
			height,
			scale: 2,
		});
		try {
			await shootScheme(studio, editor, workflows, scheme === 'dark' ? '-dark' : '');
		} finally {
			await editor.stop();
		}
	}
	writeFileSync(path.join(docs, 'screens.md'), screensPage());
}

/** Takes the pictures of one colour scheme. */
async function shootScheme(
	{ sandbox, credential }: Studio,
	editor: Editor,
	workflows: { forms: string; error: string },
	suffix: string,
): Promise<void> {
	const shoot: Shoot = async ({ name }, frame) =>
		await shootFrame(editor.page, `${name}${suffix}`, frame);
	await editor.openWorkflow(workflows.forms);
	await shootNodes(editor, shoot);
	await shootNodeCreator(editor, shoot);
	await editor.openWorkflow(workflows.error);
	await shootError(editor, sandbox, shoot);
	await shootCredential(editor, credential, shoot);
}

type Shoot = (screen: Screen, frame: Frame) => Promise<void>;

async function shootNodes(editor: Editor, shoot: Shoot): Promise<void> {
	const { page } = editor;
	for (const screen of [...operationScreens, screens.sendSmsOptions]) {
		await editor.openNode(screen.title);
		await editor.fields(); // once they are all there
		await shoot(screen, await form(page));
		await editor.closeNode();
	}
	await page.setViewportSize({ width, height: 800 });
	for (const screen of [screens.trigger, ...eventScreens]) {
		await editor.openNode(screen.title);
		await editor.fields();
		await shoot(screen, await triggerForm(page));
		await editor.closeNode();
	}
	await page.setViewportSize({ width, height });
}

async function shootNodeCreator(editor: Editor, shoot: Shoot): Promise<void> {
	const { page } = editor;
	await editor.openNodeCreator();
	await editor.search('sms');
	await shoot(screens.nodeCreator, await nodeCreator(page));
	await page
		.getByTestId('node-creator-item-name')
		.getByText('Messaging Gateway', { exact: true })
		.click();
	await page.getByText('Send SMS', { exact: true }).waitFor();
	await shoot(screens.nodeActions, await nodeCreator(page));
}

async function shootError(editor: Editor, sandbox: Sandbox, shoot: Shoot): Promise<void> {
	sandbox.instance.connected = false;
	await editor.execute();
	sandbox.instance.connected = true;
	await editor.openNode(screens.error.title);
	const output = editor.page.getByTestId('output-panel');
	await output.getByText('Instância desconectada.').first().waitFor();
	await shoot(screens.error, await error(editor.page));
}

async function shootCredential(
	editor: Editor,
	{ id }: CredentialReference,
	shoot: Shoot,
): Promise<void> {
	const { page } = editor;
	await page.setViewportSize({ width, height: 2000 });
	await editor.openCredential(id);
	await page.addStyleTag({
		content: '.el-dialog { height: 90vh !important; max-height: none !important; }',
	});
	await page.getByText('Connection tested successfully').waitFor();
	await shoot(screens.credential, await credentialForm(page));
	await page.getByTestId('parameter-input-advanced').locator('.el-switch').click();
	await shoot(screens.credentialAdvanced, await credentialForm(page));
}

/** A part of the screen, in CSS pixels. */
interface Frame {
	x: number;
	y: number;
	width: number;
	height: number;
}

const margin = 16;

const widest = 900; // pixels of a picture

async function boxOf(locator: Locator): Promise<Frame> {
	const box = await locator.boundingBox();
	if (!box) throw new Error(`Not on the screen: ${String(locator)}`);
	return box;
}

/** The fields of the open node. */
async function form(page: Page): Promise<Frame> {
	const column = await boxOf(page.getByTestId('node-parameters'));
	const fields = await boxOf(page.locator('.parameter-input-list-wrapper').first());
	return { ...column, height: fields.y + fields.height + margin - column.y };
}

/** What to press, and the form on its right. */
async function triggerForm(page: Page): Promise<Frame> {
	const whole = await boxOf(page.getByTestId('floating-nodes'));
	const fields = await form(page);
	return { ...whole, width: fields.x + fields.width - whole.x };
}

async function nodeCreator(page: Page): Promise<Frame> {
	return { ...(await boxOf(page.getByTestId('node-creator'))), height: 860 };
}

async function error(page: Page): Promise<Frame> {
	return { ...(await boxOf(page.getByTestId('output-panel'))), height: 380 };
}

async function credentialForm(page: Page): Promise<Frame> {
	const inner = await boxOf(page.getByTestId('node-credentials-config-container'));
	return {
		x: inner.x - margin,
		y: inner.y - margin,
		width: inner.width + 2 * margin,
		height: inner.height + margin,
	};
}

async function shootFrame(page: Page, name: string, frame: Frame): Promise<void> {
	await page.mouse.move(0, 0); // no field under it
	await page.waitForTimeout(500); // animations and late icons
	const scale = frame.width * 2 > widest ? 'css' : 'device';
	const png = withFewColours(await page.screenshot({ clip: frame, scale }));
	writeFileSync(path.join(docs, picturesFolder, `${name}.png`), png);
	console.log(`docs/${picturesFolder}/${name}.png: ${png.length} bytes`);
}

const to = '+55 11 91234-5678';
const campaign = '50000000-0000-4000-8000-000000000003';

/** What a person would enter where something has to be entered. */
const entered: INodeParameters = {
	to,
	text: 'Your order is on its way.',
	message: 'May we send your order?',
	mediaUrl: 'https://example.com/brochure.jpg',
	campaignId: { __rl: true, mode: 'id', value: campaign },
	keyId: { __rl: true, mode: 'id', value: 'key_01' },
	instance: 'my-instance',
	url: 'https://example.com/notifications',
	campaignIds: campaign,
	channel: 'sms',
};

/** Each node is named by the title of its picture. */
function formsWorkflow(credential: CredentialReference): WorkflowJson {
	const nodes = [
		...operationScreens.map(({ title, parameters }) =>
			node(credential, title, 'messagingGateway', parameters),
		),
		node(credential, screens.sendSmsOptions.title, 'messagingGateway', {
			resource: 'message',
			operation: 'sendSms',
			options: { ...sendSmsOptions, deduplicationKey: '={{ $json.orderId }}', maxSegments: 1 },
		}),
		...eventScreens.map(({ title, parameters }) =>
			node(credential, title, 'messagingGatewayStatusTrigger', parameters),
		),
		{ ...node(credential, screens.trigger.title, 'messagingGatewayTrigger', {}), typeVersion: 2 },
	];
	return {
		name: 'Every form',
		nodes: nodes.map((each, index) => ({
			...each,
			position: [(index % 6) * 220, Math.floor(index / 6) * 200],
		})),
		connections: {},
	};
}

function errorWorkflow(credential: CredentialReference): WorkflowJson {
	const { title: name } = screens.error;
	const parameters = { resource: 'message', operation: 'sendMedia' };
	const start = node(credential, 'Start', '', {});
	return {
		name: 'An error',
		nodes: [
			{ ...start, type: 'n8n-nodes-base.manualTrigger', credentials: undefined },
			{ ...node(credential, name, 'messagingGateway', parameters), position: [220, 0] },
		],
		connections: { Start: { main: [[{ node: name, type: 'main', index: 0 }]] } },
	};
}

const node = (
	credential: CredentialReference,
	name: string,
	type: string,
	parameters: INodeParameters,
): INode => ({
	id: name,
	name,
	type: `${packageName}.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters: { ...entered, ...parameters },
	credentials: { messagingGatewayApi: credential },
});
