import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { packageFolder } from '../paths';

const FIRST_EXAMPLE = 'first-example';
const SERVICE = 'service';

/**
 * n8n's user folder and the messages of the sandbox, kept until the next start. The credential in it
 * contains the sandbox's port, so each port has a folder.
 */
export class KeptFolder {
	private constructor(
		readonly folder: string,
		/** Id of the first example; undefined if everything has to be set up. */
		readonly firstExample: string | undefined,
		/** A snapshot of the sandbox. */
		readonly service: Buffer | undefined,
	) {}

	/** @param isFresh whether to delete the folder, as after an interrupted first start */
	static async open(sandboxPort: number, isFresh: boolean): Promise<KeptFolder> {
		const folder = path.join(packageFolder, '.cache', 'demo', String(sandboxPort));
		const firstExample = readIfThere(path.join(folder, FIRST_EXAMPLE))?.toString();
		if (isFresh || !firstExample) await rm(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		return new KeptFolder(
			folder,
			isFresh ? undefined : firstExample,
			readIfThere(path.join(folder, SERVICE)),
		);
	}

	keep(id: string): void {
		writeFileSync(path.join(this.folder, FIRST_EXAMPLE), id);
	}

	keepService(snapshot: Buffer): void {
		const service = path.join(this.folder, SERVICE);
		writeFileSync(`${service}.new`, snapshot);
		renameSync(`${service}.new`, service);
	}
}

const readIfThere = (file: string): Buffer | undefined =>
	existsSync(file) ? readFileSync(file) : undefined;
