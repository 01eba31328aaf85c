import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(__dirname, '../..');

/** A file of this package. */
export const read = (...names: string[]): string => readFileSync(path.join(root, ...names), 'utf8');

/** Files in a folder and below, as `read` takes them; none where there is no such folder. */
export const filesIn = (folder: string, ending = ''): string[] =>
	existsSync(path.join(root, folder))
		? readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
				.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
		: [];
