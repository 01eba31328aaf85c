import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { packThisPackage } from '../../../host';

const execute = promisify(execFile);

/**
 * Packs this package under a higher version number.
 *
 * @returns the tarball's path
 */
export async function packNewerVersion(folder: string): Promise<string> {
	await execute('tar', ['-xzf', await packThisPackage(folder), '-C', folder]);
	const manifest = path.join(folder, 'package', 'package.json');
	const content = JSON.parse(await readFile(manifest, 'utf8')) as object;
	await writeFile(manifest, JSON.stringify({ ...content, version: '99.0.0' }));
	const tarball = path.join(folder, 'newer.tgz');
	await execute('tar', ['-czf', tarball, '-C', folder, 'package']);
	return tarball;
}
