import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const hostFolder = __dirname;

/** Elsewhere, not every version of Node.js is to be had as a package. */
export const bringsNode = process.platform === 'linux';

export const packageFolder = path.join(hostFolder, '../..');

export type Installation = NpmInstallation | ImageInstallation;

/** An n8n from npm, in a folder whose package.json pins it. */
export interface NpmInstallation {
	/** The version of n8n. */
	version: string;
	folder: string;
	/** On Linux, it comes with n8n; elsewhere, it is the machine's. */
	nodeBinary: string;
	n8nBinary: string;
	/** Pins every dependency; without it, only n8n itself is pinned. */
	lockFile?: string;
}

/** An n8n from a Docker image: n8n 3 is no longer on npm. */
export interface ImageInstallation {
	/** E.g. `docker.n8n.io/n8nio/n8n:2.41.1`. */
	image: string;
}

/** The default of tests and benchmarks. */
export const pinned = installationIn(hostFolder);

const { N8N_IMAGE, N8N_FOLDER } = process.env;

/** The n8n from npm, in the folder N8N_FOLDER; default: the pinned one. */
export const chosenInstallation = N8N_FOLDER ? installationIn(N8N_FOLDER) : pinned;

/** The n8n of the demo and of the shared host of tests: the image N8N_IMAGE; default: from npm. */
export const chosen: Installation = N8N_IMAGE ? { image: N8N_IMAGE } : chosenInstallation;

/**
 * Every n8n that this package is tested with, oldest first. To add one, create a folder with a
 * package.json in tools/host/versions. Only the version tested on every push has a lock file there, since each
 * takes more than half a megabyte.
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
		nodeBinary: bringsNode
			? path.join(modules, `node-linux-${process.arch}`, 'bin', 'node')
			: process.execPath,
		n8nBinary: path.join(modules, 'n8n', 'bin', 'n8n'),
		lockFile: existsSync(lockFile) ? lockFile : undefined,
	};
}
