import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { packageFolder } from '../paths';

const folder = path.join(packageFolder, '.cache', 'demo');
const file = path.join(folder, 'first-example');

/** n8n's user folder that is there again at the next start. */
export class KeptFolder {
	readonly folder = folder;

	private constructor(
		/** Id of the first example; undefined where everything has to be set up. */
		readonly firstExample: string | undefined,
	) {}

	/** @param isFresh whether to throw away what is there, as a first start that was broken off is anyway */
	static async open(isFresh: boolean): Promise<KeptFolder> {
		if (isFresh || !existsSync(file)) await rm(folder, { recursive: true, force: true });
		return new KeptFolder(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
	}

	/** From now on it is kept. */
	keep(firstExample: string): void {
		writeFileSync(file, firstExample);
	}
}
