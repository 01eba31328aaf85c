import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { readGit, type Git } from './git';

/** All that the points are checked against. */
export interface Project {
	folder: string;
	manifest: Manifest;
	/** Paths in the tarball. */
	packed: string[];
	/** As n8n loads them. */
	nodes: INodeTypeDescription[];
	credentials: ICredentialType[];
	/** Texts by path, e.g. `docs/openapi.yaml`. */
	files: Record<string, string>;
	git: Git;
}

/** What is used here of package.json. */
export interface Manifest {
	name: string;
	version: string;
	license?: string;
	author?: { name?: string; email?: string };
	homepage?: string;
	repository?: { type?: string; url?: string };
	bugs?: { url?: string };
	keywords?: string[];
	scripts: Record<string, string>;
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
	bundledDependencies?: string[];
	peerDependencies?: Record<string, string>;
	n8n: { strict?: boolean; nodes: string[]; credentials: string[] };
}

/** Loads a file that package.json names, and returns its one class. */
export type Load = (file: string) => new () => unknown;

const folders = ['.github', 'credentials', 'docs', 'examples', 'nodes', 'test/unit'];

/** @throws Error when the package has not been built */
export function readProject(folder: string): Project {
	const files = readFiles(folder);
	const manifest = JSON.parse(files['package.json'] ?? '') as Manifest;
	const require = createRequire(path.join(folder, 'package.json'));
	return {
		folder,
		manifest,
		packed: packedFiles(folder),
		...loadTypes(manifest, (file) => onlyExport(require(`./${file}`))),
		files,
		git: readGit(folder),
	};
}

export function loadTypes({ n8n }: Manifest, load: Load): Pick<Project, 'nodes' | 'credentials'> {
	const instances = (files: string[]) => files.map((file) => new (load(file))());
	return {
		nodes: (instances(n8n.nodes) as INodeType[]).map(({ description }) => description),
		credentials: instances(n8n.credentials) as ICredentialType[],
	};
}

export const onlyExport = (module: unknown): new () => unknown =>
	Object.values(module as Record<string, new () => unknown>)[0]!;

export function readFiles(folder: string): Record<string, string> {
	const entries = folders.flatMap((name) =>
		readdirSync(path.join(folder, name), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))),
	);
	const top = readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ name }) => name);
	const names = [...top, ...entries].filter((name) =>
		/(LICENSE|\.(md|m?[jt]s|json|ya?ml|snap))$/.test(name),
	);
	return Object.fromEntries(
		names.map((name) => [
			name.split(path.sep).join('/'),
			readFileSync(path.join(folder, name), 'utf8'),
		]),
	);
}

function packedFiles(folder: string): string[] {
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const output = execFileSync('npm', args, {
		cwd: folder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ files }] = JSON.parse(output) as [{ files: Array<{ path: string }> }];
	return files.map((file) => file.path);
}
