import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { n8n, name as thisPackage } from '../../package.json';
import { packageFolder } from './paths';

const execute = promisify(execFile);

/** Packs this package with `npm pack`. @returns the tarball's path @throws Error when it is not built */
export async function packThisPackage(folder: string): Promise<string> {
	const missing = n8n.nodes.find((file) => !existsSync(path.join(packageFolder, file)));
	if (missing) throw new Error(`${missing} does not exist. Run 'npm run build' first.`);

	const { stdout } = await execute(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: packageFolder },
	);
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	return path.join(folder, filename);
}

/** Returns the folder in which an n8n has installed a community package. */
export const installedFolder = (userFolder: string, name = thisPackage): string =>
	path.join(userFolder, '.n8n', 'nodes', 'node_modules', name);

/**
 * Installs a packed community package in a user folder like n8n (community-packages.service.ts):
 * unpacks the tarball in `nodes/node_modules`, removes its development dependencies, and enters it in
 * `nodes/package.json`. n8n loads it at its next start.
 */
export async function installCommunityPackage(userFolder: string, tarball: string): Promise<void> {
	const manifest = await readManifest(tarball);
	const folder = installedFolder(userFolder, manifest.name);

	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await execute('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	await writeJson(path.join(folder, 'package.json'), {
		...manifest,
		devDependencies: undefined,
		peerDependencies: undefined,
		optionalDependencies: undefined,
	});
	await writeJson(path.join(folder, '../../package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	});
}

interface Manifest {
	name: string;
	version: string;
}

async function readManifest(tarball: string): Promise<Manifest> {
	const { stdout } = await execute('tar', ['-xzOf', tarball, 'package/package.json']);
	return JSON.parse(stdout) as Manifest;
}

async function writeJson(file: string, value: unknown): Promise<void> {
	await writeFile(file, JSON.stringify(value, null, 2));
}
