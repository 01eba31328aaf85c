import { verification } from '../links';
import { forPeople, metUnless, type Point } from '../point';

const link = verification('proper-documentation');

/** What is told about the package. */
export const documentation: Point[] = [
	{
		guideline: 'A README with instructions to install and to use it',
		link,
		check({ files, packed }) {
			const titles = headings(files['README.md']);
			const wanted = { install: /install/i, use: /\b(use|usage|operations|first sms)\b/i };
			return metUnless(
				[
					...Object.entries(wanted)
						.filter(([, title]) => !titles.some((heading) => title.test(heading)))
						.map(([what]) => `README.md has no section that says how to ${what} it`),
					...(packed.includes('README.md') ? [] : ['README.md is not packed']),
				],
				'README.md',
			);
		},
	},
	{
		guideline: 'What is needed to authenticate',
		link,
		check({ files, credentials }) {
			const readme = files['README.md'] ?? '';
			const hasSection = headings(readme).some((heading) =>
				/credential|authenticat/i.test(heading),
			);
			const unnamed = credentials
				.flatMap(({ properties }) => properties)
				.filter(({ required, displayName }) => required && !readme.includes(displayName));
			return metUnless(
				[
					...(hasSection ? [] : ['README.md has no section about the credential']),
					...unnamed.map(({ displayName }) => `README.md does not name '${displayName}'`),
				],
				'README.md',
			);
		},
	},
	{
		guideline: 'Example workflows',
		link,
		check({ files, manifest }) {
			const examples = Object.entries(files).filter(([name]) => /^examples\/.*\.json$/.test(name));
			const without = examples.filter(([, text]) => !text.includes(`"${manifest.name}.`));
			const isLinked = /\bexamples\//.test(files['README.md'] ?? '');
			return metUnless(
				[
					...(examples.length > 0 ? [] : ['examples/ is empty']),
					...(isLinked ? [] : ['README.md does not lead to examples/']),
					...without
						.filter(([name]) => !/deduplication-/.test(name)) // sub-workflows that the node calls
						.map(([name]) => `${name} uses none of the nodes`),
				],
				`examples/: ${examples.length}, imported by the tests`,
			);
		},
	},
	{
		guideline: "The service's interface",
		link,
		check: ({ files }) =>
			metUnless(
				[
					...(/^openapi: 3/m.test(files['docs/openapi.yaml'] ?? '') ? [] : ['docs/openapi.yaml']),
					...(files['README.md']?.includes('docs/openapi.yaml')
						? []
						: ['README.md does not lead to it']),
				],
				'docs/openapi.yaml',
			),
	},
	{
		guideline: 'Clear to who reads it for the first time',
		link,
		check: () => forPeople('README.md, from an empty machine to the first SMS in the sandbox'),
	},
];

const headings = (markdown = ''): string[] => markdown.match(/^#+ .*$/gm) ?? [];
