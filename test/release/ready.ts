import path from 'node:path';
import { placeholder } from '../../release/points/publishing';
import {
	loadTypes,
	onlyExport,
	readFiles,
	type Manifest,
	type Project,
} from '../../release/project';

const folder = path.join(__dirname, '../..');
const address = 'https://github.com/acme/n8n-nodes-messaging-gateway';

/** The package as it is, with what only its maintainer can fill in; nothing needs to be built. */
export function readyProject(): Project {
	const files = mapValues(readFiles(folder), (text) =>
		text.replaceAll(placeholder.repository, 'github.com/acme/'),
	);
	const manifest: Manifest = {
		...(JSON.parse(files['package.json']!) as Manifest),
		author: { name: 'Acme', email: 'nodes@acme.example' },
		homepage: `${address}#readme`,
		repository: { type: 'git', url: `git+${address}.git` },
		bugs: { url: `${address}/issues` },
	};
	const named = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	const load = (file: string) =>
		onlyExport(jest.requireActual(path.join(folder, file.replace(/^dist\/(.*)\.js$/, '$1.ts'))));
	return {
		folder,
		manifest,
		packed: [...named, 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
		...loadTypes(manifest, load),
		files: {
			...files,
			'CHANGELOG.md': `# Changelog\n\n## ${manifest.version} - 2030-12-31\n`,
		},
		git: {
			changed: [],
			tagsHere: [],
			tags: [],
			origin: 'git@github.com:acme/n8n-nodes-messaging-gateway.git',
		},
	};
}

/** A copy with a change in it. */
export function changed(project: Project, change: (copy: Project) => void): Project {
	const copy: Project = {
		...structuredClone({ ...project, nodes: [], credentials: [] }),
		nodes: project.nodes.map((node) => structuredClone(node)),
		credentials: project.credentials.map(
			(credential) =>
				({
					...credential,
					properties: structuredClone(credential.properties),
				}) as typeof credential,
		),
	};
	change(copy);
	return copy;
}

const mapValues = (record: Record<string, string>, change: (text: string) => string) =>
	Object.fromEntries(Object.entries(record).map(([name, text]) => [name, change(text)]));
