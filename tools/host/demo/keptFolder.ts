import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { packageFolder } from '../paths';

const folder = path.join(packageFolder, '.cache', 'demo');
const file = path.join(folder, 'first-example');

/** n8n's user folder, kept until the next start. */
export class KeptFolder {
	readonly folder = folder;

	private constructor(
		/** Id of the first example; undefined if everything has to be set up. */
		readonly firstExample: string | undefined,
	) {}

	/** @param isFresh whether to delete the folder, as after an interrupted first start */
	static async open(isFresh: boolean): Promise<KeptFolder> {
		if (isFresh || !existsSync(file)) await rm(folder, { recursive: true, force: true });
		return new KeptFolder(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
	}

	keep(firstExample: string): void {
		writeFileSync(file, firstExample);
	}
}
