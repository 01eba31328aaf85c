import { forPeople, met, metUnless, type Point } from '../point';

/** What has to be right in the very commit that is released. */
const link = 'https://semver.org';

export const version: Point[] = [
	{
		guideline: 'The changelog has this version, with its date',
		link: 'https://keepachangelog.com',
		check: ({ manifest, files }) => {
			const title = new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')} - (.*)$`, 'm');
			const date = title.exec(files['CHANGELOG.md'] ?? '')?.[1];
			return /^\d{4}-\d{2}-\d{2}$/.test(date ?? '')
				? met('CHANGELOG.md')
				: metUnless(
						[`CHANGELOG.md: '## ${manifest.version} - YYYY-MM-DD', now '${date ?? 'missing'}'`],
						'',
					);
		},
	},
	{
		guideline: 'The tag of this commit, if it has one, is the version',
		link,
		check({ manifest, git }) {
			const tag = tagOf(manifest.version);
			const others = git.tagsHere.filter((name) => name.startsWith('v') && name !== tag);
			const isElsewhere = git.tags.includes(tag) && !git.tagsHere.includes(tag);
			return metUnless(
				[
					...others.map(
						(name) =>
							`this commit has the tag ${name}, package.json the version ${manifest.version}`,
					),
					...(isElsewhere ? [`${tag} is another commit: raise the version in package.json`] : []),
				],
				git.tagsHere.includes(tag) ? tag : `${tag} is free`,
			);
		},
	},
	{
		guideline: 'Everything is committed',
		link: 'https://git-scm.com/docs/git-status',
		check: ({ git }) =>
			metUnless(
				git.changed.map((file) => `not committed: ${file}`),
				'git status',
			),
	},
	{
		guideline: 'All tests passed on this commit',
		link,
		check: () => forPeople("the run of 'Checks' for it on GitHub; publish.yml runs them again"),
	},
];

export const tagOf = (version: string): string => `v${version}`;
