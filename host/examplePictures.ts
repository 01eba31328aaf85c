/**
 * The pictures of the examples' canvases for docs/examples.md: `npx tsx host/examplePictures.ts`,
 * with names of examples behind it for some of them only.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { startSandbox } from '../sandbox';
import type { CredentialReference, HostClient } from './client';
import { Editor } from './editor';
import { exampleFiles, prepareExample, type Credentials } from './examples';
import { startHost } from './index';
import { packageFolder } from './paths';
import { noteTaken } from './pictures';

/** Of the page, in px: as large as a picture may become, and what stands around the canvas. */
const viewport = { width: 1_500, height: 900 };
const MARGIN = 24; // px around what is on the canvas
/** What the editor shows above its canvas. */
const overlays = '.vue-flow__panel, [data-test-id="canvas-wrapper"] > :not(:has(.vue-flow))';

/** Takes a picture of the canvas of each, with a credential selected in each node that takes one. */
export async function shootExamples(
	client: HostClient,
	{ editor, folder }: { editor: Editor; folder: string },
	account: CredentialReference,
	files = exampleFiles(),
): Promise<void> {
	const { page } = editor;
	const credentials: Credentials = { messagingGatewayApi: account };
	for (const type of ['openAiApi', 'postgres', 'redis']) {
		credentials[type] = await client.createCredential({}, type);
	}
	await page.setViewportSize(viewport);
	for (const file of files) {
		const workflow = await prepareExample(client, file, credentials);
		await editor.openWorkflow(await client.createWorkflow(workflow));
		const nodes = page.locator('.vue-flow__node');
		await nodes.nth(workflow.nodes.length - 1).waitFor();
		await page.addStyleTag({ content: `${overlays} { display: none !important }` });
		await page.keyboard.press('1'); // zoom to fit
		await page.waitForTimeout(2_000); // animations and late icons
		const picture = path.join(folder, `example-${file}.png`);
		const [canvas] = await boxesOf(page.getByTestId('canvas-wrapper'), '');
		const clip = within(canvas!, around(await boxesOf(nodes, '*')));
		await page.screenshot({ path: picture, clip });
		noteTaken(`example-${file}`);
		console.log(path.relative(packageFolder, picture));
	}
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Of what is found and what it contains, by a selector. */
const boxesOf = async (found: Locator, contains: string): Promise<Box[]> =>
	await found.evaluateAll(
		(elements, selector) =>
			elements
				.flatMap((element) => [element, ...(selector ? element.querySelectorAll(selector) : [])])
				.map((element) => element.getBoundingClientRect())
				.filter(({ width, height }) => width > 0 && height > 0)
				.map(({ x, y, width, height }) => ({ x, y, width, height })),
		contains,
	);

function around(boxes: Box[]): Box {
	const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN;
	return { x, y, width: right - x, height: bottom - y };
}

/** Without what lies outside, and without what the editor lays over the edges. */
function within(outer: Box, box: Box): Box {
	const x = Math.max(box.x, outer.x + 1);
	const y = Math.max(box.y, outer.y + 20);
	const right = Math.min(box.x + box.width, outer.x + outer.width - 1);
	const bottom = Math.min(box.y + box.height, outer.y + outer.height - 1);
	return { x, y, width: right - x, height: bottom - y };
}

async function main(): Promise<void> {
	const folder = path.join(packageFolder, 'docs', 'images');
	mkdirSync(folder, { recursive: true });
	const sandbox = await startSandbox();
	const host = await startHost();
	const editor = await Editor.start(host.url, host.client);
	try {
		const account = await host.client.createCredential(sandbox.credential);
		const [, , ...files] = process.argv;
		const studio = { editor, folder };
		await shootExamples(host.client, studio, account, files.length > 0 ? files : undefined);
	} finally {
		await editor.stop();
		await host.stop();
		await sandbox.close();
	}
}

if (require.main === module) {
	main().catch((error: Error) => {
		console.error(error);
		process.exitCode = 1;
	});
}
