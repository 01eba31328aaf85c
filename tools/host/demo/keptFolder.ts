import { randomBytes } from 'node:crypto';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { packageFolder } from '../paths';

const FIRST_EXAMPLE = 'first-example';
const PASSWORD = 'password';
const SERVICE = 'service';

/** Returns a password for n8n's owner: n8n asks for a capital and a digit. */
export const newPassword = (): string => `N8n${randomBytes(10).toString('hex')}`;

/**
 * n8n's user folder, its owner's password and the messages of the sandbox, kept until the next start. The credential in it
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

	/**
	 * @param isFresh whether to delete the folder, as after an interrupted first start
	 * @throws Error if the folder has an n8n, but not its password
	 */
	static async open(sandboxPort: number, isFresh: boolean): Promise<KeptFolder> {
		const folder = path.join(packageFolder, '.cache', 'demo', String(sandboxPort));
		const firstExample = readIfThere(path.join(folder, FIRST_EXAMPLE))?.toString();
		const isNew = isFresh || !firstExample;
		if (isNew) await rm(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		chmodSync(folder, 0o700);
		const kept = new KeptFolder(
			folder,
			isNew ? undefined : firstExample,
			readIfThere(path.join(folder, SERVICE)),
		);
		if (isNew) writeFileSync(kept.passwordFile, newPassword());
		if (!existsSync(kept.passwordFile)) throw kept.passwordError();
		chmodSync(kept.passwordFile, 0o600);
		// Where a killed n8n has left it, the next one waits ten seconds.
		rmSync(path.join(folder, '.n8n', 'crash.journal'), { force: true });
		return kept;
	}

	get password(): string {
		return readFileSync(this.passwordFile, 'utf8').trim();
	}

	private get passwordFile(): string {
		return path.join(this.folder, PASSWORD);
	}

	/** The error for a password that n8n does not accept, or that nobody has kept. */
	passwordError(): Error {
		return new Error(
			`The password of the n8n in ${this.folder} is missing or has changed: add '--fresh' to start over, or write it into the file '${PASSWORD}' there.`,
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
