/** What a release still needs from the maintainer or from the commit itself. */

/** The values in package.json before the package has a maintainer. */
export const placeholder = {
	repository: 'github.com/n8n-nodes-messaging-gateway/',
	domain: 'n8n-nodes-messaging-gateway.dev',
	name: 'n8n-nodes-messaging-gateway contributors',
};

export interface Manifest {
	version: string;
	author?: { name?: string; email?: string };
	homepage?: string;
	repository?: { url?: string };
	bugs?: { url?: string };
}

export interface Project {
	manifest: Manifest;
	/** Contents by path: CHANGELOG.md, what publishes, and files that may name the repository. */
	files: Record<string, string>;
	git: {
		/** Uncommitted files. */
		changed: string[];
		/** Tags of the current commit. */
		tagsHere: string[];
		tags: string[];
		origin?: string;
	};
}

const publish = '.github/workflows/publish.yml';

export const tagOf = ({ version }: Manifest): string => `v${version}`;

/** A line for each missing thing; empty if the commit can be released. */
export function missing({ manifest, files, git }: Project): string[] {
	const { author = {}, repository = {}, homepage = '', bugs = {}, version } = manifest;
	const { name = '', email = '' } = author;
	const address = /^git\+(https:\/\/github\.com\/[^/]+\/[^/]+)\.git$/.exec(
		repository.url ?? '',
	)?.[1];
	const isOwn = address !== undefined && !address.includes(placeholder.repository);
	const leadsThere = (url = '') => isOwn && url.startsWith(address);
	const tag = tagOf(manifest);
	const isOther = (each: string) => each.startsWith('v') && each !== tag;
	const others = git.tagsHere.filter(isOther);
	const isFirst = !git.tags.some(isOther);
	const lines: Array<[isMissing: boolean, what: string]> = [
		[
			!isOwn,
			'repository.url in package.json: git+https://github.com/OWNER/REPOSITORY.git, of a repository that you own',
		],
		[!leadsThere(homepage), 'homepage in package.json: https://github.com/OWNER/REPOSITORY#readme'],
		[!leadsThere(bugs.url), 'bugs.url in package.json: https://github.com/OWNER/REPOSITORY/issues'],
		[
			isOwn && git.origin !== undefined && addressOf(git.origin) !== address,
			`repository.url in package.json is ${address}, but git pushes to ${git.origin}`,
		],
		[
			['', placeholder.name].includes(name),
			'author.name in package.json: the person or company that maintains the package, as on npm',
		],
		[
			!/^[^@\s]+@[^@\s]+\.[a-z]+$/.test(email) || email.endsWith(placeholder.domain),
			'author.email in package.json: an address at which mail is read',
		],
		[
			!new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`, 'm').test(
				files['CHANGELOG.md'] ?? '',
			),
			`CHANGELOG.md: '## ${version} - YYYY-MM-DD'`,
		],
		[
			git.tags.includes(tag) && !git.tagsHere.includes(tag),
			`${tag} is another commit: raise the version in package.json`,
		],
		[
			!isFirst && (files[publish] ?? '').includes('NPM_TOKEN'),
			`${publish}: remove the lines with NPM_TOKEN, which only the first version needs; CONTRIBUTING.md says what replaces it`,
		],
		...others.map((each): [boolean, string] => [
			true,
			`this commit has the tag ${each}, package.json the version ${version}`,
		]),
		...git.changed.map((file): [boolean, string] => [true, `not committed: ${file}`]),
		...Object.entries(files).map(([file, text]): [boolean, string] => [
			/^(nodes|credentials|\.github)\//.test(file) && text.includes(placeholder.repository),
			`${file}: put your OWNER/REPOSITORY in place of what follows 'github.com/'`,
		]),
	];
	return lines.filter(([isMissing]) => isMissing).map(([, what]) => what);
}

/** `git@github.com:owner/name.git` → `https://github.com/owner/name` */
const addressOf = (origin: string): string =>
	origin
		.replace(/^(ssh:\/\/)?git@github\.com[:/]/, 'https://github.com/')
		.replace(/(\.git)?\/?$/, '');
