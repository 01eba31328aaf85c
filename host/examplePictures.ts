/**
 * The pictures of the examples' canvases for docs/examples.md: `npx tsx host/examplePictures.ts`,
 * with names of examples behind it for some of them only.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startSandbox } from '../sandbox';
import type { HostClient } from './client';
import { Editor } from './editor';
import { exampleFiles, prepareExample, readExample, type Credentials } from './examples';
import { startHost } from './index';
import { packageFolder } from './paths';

const WIDTH = 1_280; // px, of the widest picture
const NODE = { width: 96, height: 140 }; // with its name below
const MARGIN = 40;

/** Takes a picture of each of them. */
export async function shootExamples(
	client: HostClient,
	editor: Editor,
	credentials: Credentials,
	folder: string,
	files = exampleFiles(),
): Promise<void> {
	for (const file of files) {
		const workflow = await prepareExample(client, file, credentials);
		await editor.openWorkflow(await client.createWorkflow(workflow));
		const picture = path.join(folder, `example-${file}.png`);
		await editor.shootCanvas(sizeOf(file), picture);
		console.log(path.relative(packageFolder, picture));
	}
}

/** Of the picture, in px: as large as the canvas is, or as the page is wide. */
function sizeOf(file: string): { width: number; height: number } {
	const boxes = readExample(file).nodes.map(({ position: [left, top], parameters }) => {
		const { width, height } = { ...NODE, ...parameters } as typeof NODE;
		return { left, top, right: left + width, bottom: top + height };
	});
	const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
	const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
	const zoom = Math.min(1, (WIDTH - 2 * MARGIN) / width);
	return { width: width * zoom + 2 * MARGIN, height: height * zoom + 2 * MARGIN };
}

async function main(): Promise<void> {
	const folder = path.join(packageFolder, 'docs', 'images');
	mkdirSync(folder, { recursive: true });
	const sandbox = await startSandbox();
	const host = await startHost();
	const editor = await Editor.start(host.url, host.client);
	try {
		const credentials: Credentials = {};
		for (const [type, data] of Object.entries({
			messagingGatewayApi: sandbox.credential,
			openAiApi: { apiKey: 'sk-sandbox' },
			postgres: {},
			redis: {},
		})) {
			credentials[type] = await host.client.createCredential(data, type);
		}
		const [, , ...files] = process.argv;
		await shootExamples(
			host.client,
			editor,
			credentials,
			folder,
			files.length > 0 ? files : undefined,
		);
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
