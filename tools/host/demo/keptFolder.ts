import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { packageFolder } from '../paths';

const folder = path.join(packageFolder, '.cache', 'demo');
const firstExample = path.join(folder, 'first-example');
const service = path.join(folder, 'service');

/** n8n's user folder and the messages of the sandbox, kept until the next start. */
export class KeptFolder {
	readonly folder = folder;

	private constructor(
		/** Id of the first example; undefined if everything has to be set up. */
		readonly firstExample: string | undefined,
		/** A snapshot of the sandbox. */
		readonly service: Buffer | undefined,
	) {}

	/** @param isFresh whether to delete the folder, as after an interrupted first start */
	static async open(isFresh: boolean): Promise<KeptFolder> {
		if (isFresh || !existsSync(firstExample)) await rm(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		return new KeptFolder(read(firstExample)?.toString(), read(service));
	}

	keep(id: string): void {
		writeFileSync(firstExample, id);
	}

	keepService(snapshot: Buffer): void {
		writeFileSync(`${service}.new`, snapshot);
		renameSync(`${service}.new`, service);
	}
}

const read = (file: string): Buffer | undefined =>
	existsSync(file) ? readFileSync(file) : undefined;
