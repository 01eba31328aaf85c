/** Builds the package where something has changed since the last build, as `npm test` does. */
import './requireNode';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from './paths';

const sources = ['credentials', 'nodes', 'icons', 'gulpfile.js', 'zoneTable.js', 'tsconfig.json'];
const manifests = ['package.json', 'package-lock.json'];
const lastBuiltFile = path.join(packageFolder, 'dist', 'THIRD-PARTY-NOTICES.txt'); // that a build writes

/** Whether nothing has changed since the last build. A folder changes when a file in it is deleted. */
export const isBuilt = (): boolean =>
	existsSync(lastBuiltFile) &&
	[...sources, ...manifests]
		.map((name) => path.join(packageFolder, name))
		.flatMap((file) => [file, ...filesIn(file)])
		.every((file) => statSync(file).mtimeMs < statSync(lastBuiltFile).mtimeMs);

const filesIn = (folder: string): string[] =>
	statSync(folder).isDirectory()
		? readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name)))
		: [];

/** @throws Error with what the build has printed */
export async function build(): Promise<void> {
	await promisify(execFile)('npm', ['run', 'build'], { cwd: packageFolder }).catch(
		(error: Error & { stdout: string; stderr: string }) => {
			throw new Error(`npm run build:\n${error.stdout}${error.stderr}`);
		},
	);
}

if (require.main === module && !isBuilt()) {
	build().catch((error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}
