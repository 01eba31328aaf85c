/**
 * `npm run docs`: writes a page for each operation and event, and the output schemas for n8n's editor,
 * from the code and from recorded runs. A test compares. See recordings.ts for how runs are recorded.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allPages, generatedFolders } from './pages';

const root = path.join(__dirname, '../..');

async function main(): Promise<void> {
	const pages = await allPages();
	for (const folder of generatedFolders)
		rmSync(path.join(root, folder), { recursive: true, force: true });
	for (const [file, text] of pages) {
		mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
		writeFileSync(path.join(root, file), text);
	}
	console.log(`${pages.size} files written`);
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
