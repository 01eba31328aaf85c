import { missing, placeholder, type Project } from '../../tools/release/missing';

const address = 'https://github.com/acme/n8n-nodes-messaging-gateway';
const ready = (): Project => ({
	manifest: {
		version: '1.2.3',
		author: { name: 'Acme', email: 'nodes@acme.example' },
		homepage: `${address}#readme`,
		repository: { url: `git+${address}.git` },
		bugs: { url: `${address}/issues` },
	},
	files: { 'CHANGELOG.md': '# Changelog\n\n## 1.2.3 - 2030-12-31\n' },
	git: {
		changed: [],
		tagsHere: ['v1.2.3'],
		tags: ['v1.2.3'],
		origin: 'git@github.com:acme/n8n-nodes-messaging-gateway.git',
	},
});

test('nothing, once the maintainer has filled in what nobody else knows', () => {
	expect(missing(ready())).toEqual([]);
});

const publish = '.github/workflows/publish.yml';
const withToken = 'NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}';

test('nothing, where the first version is published with a token', () => {
	const project = ready();
	project.files[publish] = withToken;
	for (const tags of [[], ['v1.2.3']]) {
		Object.assign(project.git, { tags, tagsHere: tags });
		expect(missing(project)).toEqual([]);
	}
});

const unowned = `https://${placeholder.repository}n8n-nodes-messaging-gateway`;

test.each<[what: string, change: (project: Project) => void, missing: RegExp[]]>([
	[
		'no repository',
		({ manifest }) => delete manifest.repository,
		[/^repository.url/, /^homepage/, /^bugs/],
	],
	[
		'a repository of nobody',
		({ manifest }) => (manifest.repository!.url = `git+${unowned}.git`),
		[/^repository.url/, /^homepage/, /^bugs/],
	],
	[
		'another home page',
		({ manifest }) => (manifest.homepage = 'https://example.com'),
		[/^homepage/],
	],
	['no place for bugs', ({ manifest }) => delete manifest.bugs, [/^bugs.url/]],
	[
		'another place to push to',
		({ git }) => (git.origin = 'https://github.com/acme/another'),
		[/pushes to .*another/],
	],
	['no author', ({ manifest }) => delete manifest.author, [/^author.name/, /^author.email/]],
	[
		'an author who is nobody',
		({ manifest }) => (manifest.author!.name = placeholder.name),
		[/^author.name/],
	],
	[
		'no address for mail',
		({ manifest }) => (manifest.author!.email = `a@${placeholder.domain}`),
		[/^author.email/],
	],
	[
		'no date in the changelog',
		({ files }) => (files['CHANGELOG.md'] = '## 1.2.3 - unreleased'),
		[/^CHANGELOG/],
	],
	[
		'the tag of another version',
		({ git }) => git.tagsHere.push('v9.9.9'),
		[/v9\.9\.9, package.json .* 1\.2\.3/],
	],
	['its tag on another commit', ({ git }) => (git.tagsHere = []), [/^v1.2.3 is another commit/]],
	[
		'a token after the first version',
		({ files, git }) => {
			files[publish] = withToken;
			git.tags.push('v1.2.2');
		},
		[/^\.github\/workflows\/publish\.yml: remove .*NPM_TOKEN/],
	],
	[
		'a file that is not committed',
		({ git }) => git.changed.push('README.md'),
		[/^not committed: README.md/],
	],
	[
		'a link to nobody',
		({ files }) => (files['credentials/Any.credentials.ts'] = unowned),
		[/^credentials\/Any/],
	],
])('%s', (_, change, expected) => {
	const project = ready();
	change(project);
	const lines = missing(project);
	expect(lines).toHaveLength(expected.length);
	expected.forEach((line, index) => expect(lines[index]).toMatch(line));
});
