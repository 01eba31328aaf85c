import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the parts of the installed hosts are. */

export const hostFolder = __dirname;
export const packageFolder = path.dirname(hostFolder);

/** An n8n that can be started. */
export type Installation = NpmInstallation | ImageInstallation;

/** From npm, in a folder of its own, as the package.json there pins it. */
export interface NpmInstallation {
	/** Of n8n. */
	version: string;
	folder: string;
	/** The Node.js that n8n runs on: it comes with it, whatever Node.js the machine has. */
	nodeBinary: string;
	n8nBinary: string;
	/** Keeps every dependency as it was; where there is none, only n8n itself is pinned. */
	lockFile?: string;
}

/** From a Docker image: n8n 3 is not on npm any more. */
export interface ImageInstallation {
	/** E.g. `docker.n8n.io/n8nio/n8n:2.40.7`. */
	image: string;
}

/** What tests and benchmarks start unless they are told otherwise. */
export const pinned = installationIn(hostFolder);

const { N8N_IMAGE, N8N_FOLDER } = process.env;

/** From npm, in the folder that N8N_FOLDER names, else the pinned one. */
export const chosenInstallation = N8N_FOLDER ? installationIn(N8N_FOLDER) : pinned;

/** What the demo and the host that tests share start: what N8N_IMAGE names, else one from npm. */
export const chosen: Installation = N8N_IMAGE ? { image: N8N_IMAGE } : chosenInstallation;

/**
 * Every n8n that this package is tested with, oldest first. One more is a folder in host/versions with
 * a package.json. Of those there, only the one that every push is tried with has a lock file: each would add
 * more than half a megabyte, and the others say by their date when they were tried.
 */
export function allInstallations(): NpmInstallation[] {
	const folder = path.join(hostFolder, 'versions');
	const others = readdirSync(folder).map((name) => installationIn(path.join(folder, name)));
	return [pinned, ...others].sort((a, b) =>
		a.version.localeCompare(b.version, 'en', { numeric: true }),
	);
}

export function installationIn(folder: string): NpmInstallation {
	const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(manifest) as { dependencies: { n8n: string } };
	const lockFile = path.join(folder, 'pnpm-lock.yaml');
	const modules = path.join(folder, 'node_modules');
	return {
		version: dependencies.n8n,
		folder,
		nodeBinary: path.join(modules, 'node', 'bin', 'node'),
		n8nBinary: path.join(modules, 'n8n', 'bin', 'n8n'),
		lockFile: existsSync(lockFile) ? lockFile : undefined,
	};
}
