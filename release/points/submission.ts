import { fieldsOf } from '../form';
import { submission as link, verification } from '../links';
import { forPeople, metUnless, type Point } from '../point';

interface Codex {
	categories?: string[];
}

/** What kind of package it is, and that npm and n8n find it. */
export const submission: Point[] = [
	{
		guideline: "The name begins with 'n8n-nodes-'",
		link,
		check: ({ manifest: { name } }) =>
			metUnless(
				/^(@[a-z0-9-]+\/)?n8n-nodes-[a-z0-9-]+$/.test(name)
					? []
					: [`name in package.json: '${name}'`],
				'package.json',
			),
	},
	{
		guideline: "The keyword 'n8n-community-node-package'",
		link,
		check: ({ manifest: { keywords = [] } }) =>
			metUnless(
				keywords.includes('n8n-community-node-package') ? [] : ['keywords in package.json lack it'],
				'package.json',
			),
	},
	{
		guideline: "Nodes and credentials are named under 'n8n' in package.json, and packed",
		link,
		check({ manifest: { n8n }, packed, files }) {
			const named = [...n8n.nodes, ...n8n.credentials];
			const written = Object.keys(files)
				.filter((name) => /^(nodes|credentials)\/.*\.(node|credentials)\.ts$/.test(name))
				.map((name) => `dist/${name.replace(/\.ts$/, '.js')}`);
			return metUnless(
				[
					...named.filter((file) => !packed.includes(file)).map((file) => `${file} is not packed`),
					...written.filter((file) => !named.includes(file)).map((file) => `${file} is not named`),
				],
				'package.json; npm run pack:check',
			);
		},
	},
	{
		guideline: 'No node that n8n has already',
		link: verification('node-types'),
		check: () =>
			forPeople(
				"n8n's node creator: search the name of your service, no node of n8n's talks to it",
			),
	},
	{
		guideline: 'No node for logic or flow control',
		link: verification('node-types'),
		check({ files, nodes }) {
			const codexes = Object.entries(files).filter(([name]) => name.endsWith('.node.json'));
			const others = codexes.filter(([, text]) => {
				const { categories = [] } = JSON.parse(text) as Codex;
				return !categories.includes('Communication') || categories.includes('Core Nodes');
			});
			const without = nodes.filter(({ credentials = [] }) => credentials.length === 0);
			return metUnless(
				[
					...others.map(([name]) => `${name}: the category is not Communication`),
					...without.map(({ displayName }) => `${displayName} talks to no service`),
				],
				'every node needs the credential; all are in the category Communication',
			);
		},
	},
	{
		guideline: 'One service per package, triggers for it included',
		link: verification('node-types'),
		check({ nodes, credentials }) {
			const [own] = credentials;
			const others = nodes.filter((node) =>
				node.credentials?.some(({ name }) => name !== own?.name),
			);
			return metUnless(
				[
					...(credentials.length === 1 ? [] : [`there are ${credentials.length} credentials`]),
					...others.map(({ displayName }) => `${displayName} uses another credential`),
				],
				`all nodes use ${own?.displayName}`,
			);
		},
	},
	{
		guideline: 'Tried in a real n8n',
		link,
		check: ({ files, manifest }) =>
			metUnless(
				[
					...(manifest.scripts.start ? [] : ["package.json has no script 'start'"]),
					...(/run: bash \.ci\/run$/m.test(files['.github/workflows/checks.yml'] ?? '')
						? []
						: ['.github/workflows/checks.yml does not run .ci/run']),
				],
				'npm start; test/e2e on every push, test/versions on five versions of n8n',
			),
	},
	{
		guideline: 'Does not compete with what n8n sells',
		link,
		check: (project) =>
			forPeople(
				`${project.nodes.length} nodes with ${fieldsOf(project).filter(({ name }) => name === 'operation').length} resources, all of them calls of the service`,
			),
	},
];
