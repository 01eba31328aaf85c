import { parse } from 'yaml';
import { verification } from '../links';
import { forPeople, metUnless, type Point } from '../point';
import type { Project } from '../project';

const link = verification('package-source-verification');

/** What stood in package.json before the package had a maintainer: nobody owns either. */
export const placeholder = {
	repository: 'github.com/n8n-nodes-messaging-gateway/',
	domain: 'n8n-nodes-messaging-gateway.dev',
	name: 'n8n-nodes-messaging-gateway contributors',
};

interface Workflow {
	on?: { push?: { tags?: string[] } };
	jobs?: Record<string, { permissions?: Record<string, string>; steps?: Array<{ run?: string }> }>;
}

/** How the package gets to npm, and that it can be seen from where. */
export const publishing: Point[] = [
	{
		guideline: 'Published by a GitHub action, with a statement of provenance',
		link,
		check({ files }) {
			const file = '.github/workflows/publish.yml';
			const { on, jobs = {} } = (parse(files[file] ?? '') ?? {}) as Workflow;
			const publishing = Object.values(jobs).find(({ steps = [] }) =>
				steps.some(({ run = '' }) => /^npm publish .*--provenance\b/m.test(run)),
			);
			return metUnless(
				[
					...(on?.push?.tags?.includes('v*') ? [] : [`${file} does not start on tags v*`]),
					...(publishing ? [] : [`${file} has no step 'npm publish … --provenance'`]),
					...(publishing?.permissions?.['id-token'] === 'write'
						? []
						: [`${file}: the job that publishes lacks the permission 'id-token: write'`]),
				],
				file,
			);
		},
	},
	{
		guideline: 'The repository that npm names is the one on GitHub that this is published from',
		link,
		check({ manifest, git, files }) {
			const { url = '' } = manifest.repository ?? {};
			const repository = /^git\+(https:\/\/github\.com\/[^/]+\/[^/]+)\.git$/.exec(url)?.[1];
			const missing = url.includes(placeholder.repository)
				? [
						'repository.url in package.json: git+https://github.com/OWNER/REPOSITORY.git, of a repository that you own',
					]
				: repository === undefined
					? [
							`repository.url in package.json is not git+https://github.com/OWNER/REPOSITORY.git: '${url}'`,
						]
					: git.origin && addressOf(git.origin) !== repository
						? [`repository.url in package.json is ${repository}, but git pushes to ${git.origin}`]
						: [];
			return metUnless(
				[...missing, ...links(manifest, repository), ...leftOver(files)],
				'package.json',
			);
		},
	},
	{
		guideline: 'Author and maintainer are the same on npm and in the repository',
		link,
		check({ manifest: { author = {} } }) {
			const { name = '', email = '' } = author;
			const isAddress =
				/^[^@\s]+@[^@\s]+\.[a-z]+$/.test(email) && !email.endsWith(placeholder.domain);
			return metUnless(
				[
					...(name === '' || name === placeholder.name
						? [
								'author.name in package.json: the person or company that maintains the package, as on npm',
							]
						: []),
					...(isAddress ? [] : ['author.email in package.json: an address at which mail is read']),
				],
				'package.json',
			);
		},
	},
	{
		guideline: 'The repository is public, and its link on npm leads there',
		link,
		check: () =>
			forPeople(
				'open repository.url of package.json without being signed in; npm gives provenance to public ones only',
			),
	},
	{
		guideline: 'The licence is MIT',
		link,
		check: ({ manifest, files, packed }) =>
			metUnless(
				[
					...(manifest.license === 'MIT' ? [] : ["license in package.json: 'MIT'"]),
					...(files.LICENSE?.startsWith('MIT License') ? [] : ['LICENSE is not the MIT License']),
					...(packed.includes('LICENSE') ? [] : ['LICENSE is not in the tarball']),
				],
				'package.json, LICENSE',
			),
	},
	{
		guideline: 'npm knows the package: n8n fetches it from there, with its source at that commit',
		link,
		check: ({ manifest }) =>
			forPeople(`npx @n8n/scan-community-package ${manifest.name}, once it is published`),
	},
];

/** `git@github.com:owner/name.git` → `https://github.com/owner/name` */
const addressOf = (origin: string): string =>
	origin
		.replace(/^(ssh:\/\/)?git@github\.com[:/]/, 'https://github.com/')
		.replace(/(\.git)?\/?$/, '');

/** Fields of package.json that have to lead to the repository. */
function links(
	{ homepage = '', bugs }: Project['manifest'],
	repository: string | undefined,
): string[] {
	const leadsThere = (url: string) =>
		url.startsWith(`${repository}`) && !url.includes(placeholder.repository);
	return [
		...(leadsThere(homepage)
			? []
			: ['homepage in package.json: https://github.com/OWNER/REPOSITORY#readme']),
		...(leadsThere(bugs?.url ?? '')
			? []
			: ['bugs.url in package.json: https://github.com/OWNER/REPOSITORY/issues']),
	];
}

/** The address is written in other files, too: the forms link to the README. */
const leftOver = (files: Project['files']): string[] =>
	Object.entries(files)
		.filter(
			([name, text]) =>
				/^(nodes|credentials|\.github)\//.test(name) && text.includes(placeholder.repository),
		)
		.map(([name]) => `${name}: put your OWNER/REPOSITORY in place of what follows 'github.com/'`);
