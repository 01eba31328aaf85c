import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { codeStandards, verification } from '../links';
import { fieldsOf, nameOf, textsOf } from '../form';
import { forPeople, metUnless, onPurpose, type Point, type Verdict } from '../point';
import type { Project } from '../project';

const practices = verification('follow-n8n-best-practices');

/** How the code is written and what it may reach. */
export const code: Point[] = [
	{
		guideline: 'Made and checked with the n8n-node tool',
		link: verification('use-the-n8n-node-tool'),
		check: ({ files, manifest }) =>
			files['eslint.config.mjs']?.includes('n8nCommunityNodesPlugin.configs.recommended') &&
			manifest.n8n.strict === true
				? onPurpose(
						"its rules and its layout are used, the tool itself is not: it brings a build of its own and 280 MB. eslint.config.mjs is made of the same parts, and `npm run pack:check` runs n8n's scanner",
					)
				: notMet('eslint.config.mjs and n8n.strict in package.json have to do what the tool would'),
	},
	{
		guideline: 'No runtime dependencies',
		link: verification('no-external-dependencies'),
		check({ manifest }) {
			const kinds = ['dependencies', 'optionalDependencies', 'bundledDependencies'] as const;
			const peers = Object.keys(manifest.peerDependencies ?? {});
			return metUnless(
				[
					...kinds.filter((kind) => manifest[kind]).map((kind) => `package.json has ${kind}`),
					...peers
						.filter((name) => name !== 'n8n-workflow')
						.map((name) => `package.json wants the peer ${name}`),
				],
				'package.json',
			);
		},
	},
	{
		guideline: 'No environment variables, no files: all data comes through parameters',
		link: verification('no-access-to-environment-variables-or-file-system'),
		check: (project) =>
			found(
				project,
				/\bprocess\.\w|\bglobalThis\b|\b(?:from|require\() ?'(?:node:)?(?:fs|os|path|child_process|process)\b/,
			),
	},
	{
		guideline: "Requests by n8n's own helper, no HTTP library",
		link: codeStandards('use-the-built-in-request-library'),
		check(project) {
			const test = 'nodes/gateway/checkCredential.ts';
			const verdict = found(
				project,
				/\bfetch\(|helpers\.request\b|\b(?:from|require\() ?'(?:node:)?(?:https?|net|tls|undici|axios)\b/,
			);
			return verdict.missing.length > 0 && verdict.missing.every((line) => line.startsWith(test))
				? onPurpose(`everywhere but in ${test}: n8n gives a credential test its older helper only`)
				: verdict;
		},
	},
	{
		guideline: 'Written in TypeScript',
		link: practices,
		check({ files }) {
			const scripts = sources(files).filter((name) => !/\.(ts|json)$/.test(name));
			const isStrict = /"strict": true/.test(files['tsconfig.json'] ?? '');
			return metUnless(
				[
					...scripts.map((name) => `${name} is not TypeScript`),
					...(isStrict ? [] : ['tsconfig.json is not strict']),
				],
				'nodes/, credentials/; tsconfig.json is strict',
			);
		},
	},
	{
		guideline: 'One coding style, held by the linter without a warning',
		link: codeStandards('use-the-linter'),
		check: ({ manifest, files }) =>
			metUnless(
				[
					...(/eslint \. --max-warnings 0/.test(manifest.scripts.lint ?? '')
						? []
						: ["the script 'lint' in package.json lets warnings pass"]),
					...(/run: npm run lint$/m.test(files['.github/workflows/checks.yml'] ?? '')
						? []
						: ['.github/workflows/checks.yml does not run the linter']),
				],
				'npm run lint, on every push; .prettierrc.js',
			),
	},
	{
		guideline: "n8n's package scanner passes",
		link: practices,
		check({ folder }) {
			const scanner = path.join(__dirname, '..', 'scan.mjs');
			const { status, stdout, stderr } = spawnSync(process.execPath, [scanner, folder], {
				encoding: 'utf8',
			});
			const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '');
			return metUnless(
				status === 0 ? [] : lines,
				'node release/scan.mjs; the tarball too: npm run pack:check',
			);
		},
	},
	{
		guideline: 'The declarative style, unless something asks for the other',
		link: codeStandards('use-the-declarative-style'),
		check: () =>
			onPurpose(
				'triggers cannot be declarative. The action node does what no declaration can: order per number, one pace for the run, a send that is never repeated, files that flow. Measured beside a declarative twin in docs/benchmarks.md',
			),
	},
	{
		guideline: "'Resource' comes first, 'Operation' second",
		link: codeStandards('resources-and-operations'),
		check: ({ nodes }) =>
			metUnless(
				nodes
					.filter(({ group }) => !group.includes('trigger'))
					.filter(
						({ properties: [first, second] }) =>
							first?.displayName !== 'Resource' || second?.displayName !== 'Operation',
					)
					.map(({ displayName }) => `${displayName} begins with other fields`),
				'nodes/MessagingGateway/properties.ts',
			),
	},
	{
		guideline: 'A field has one internal name wherever it is shown, so that its value stays',
		link: codeStandards('reuse-internal-parameter-names'),
		check(project) {
			const fields = fieldsOf({ ...project, credentials: [] }).filter(
				({ type }) => type !== 'notice',
			);
			const first = new Map<string, string>();
			const differing = fields.filter((field) => {
				const key = `${nameOf(field)} ${field.collection}`;
				if (!first.has(key)) first.set(key, field.name);
				return first.get(key) !== field.name;
			});
			return metUnless(
				differing.map((field) => `${nameOf(field)} is called ${field.name} besides`),
				'nodes/form/fields/; test/unit/properties/contract.test.ts',
			);
		},
	},
	{
		guideline: 'What comes in is not changed',
		link: codeStandards('dont-change-incoming-data'),
		check: (project) => found(project, /getInputData\(\)(\[[^\]]*\])?!?\.(json|binary)\S* = /),
	},
	{
		guideline: 'Values are checked, and what goes wrong is handled',
		link: practices,
		check: () =>
			forPeople(
				'test/unit/operations/refusals.test.ts (every field with wrong values), test/engine/action/faults.test.ts, npm run test:fuzz, npm run test:mutation',
			),
	},
	{
		guideline: 'English only: forms, errors, documentation',
		link: verification('use-english-language-only'),
		check(project) {
			const documents = Object.entries(project.files)
				.filter(([name]) => /^(docs\/)?[^/]+\.md$/.test(name))
				.map(([at, text]) => ({ at, text: withoutQuotations(text) }));
			const foreign = [...textsOf(project), ...documents].flatMap(({ at, text }) =>
				(text.match(/\p{L}+/gu) ?? [])
					.filter((word) => word.length > 2 && /[À-ÖØ-öø-ÿ]/.test(word))
					.map((word) => `${at}: '${word}'`),
			);
			return metUnless(foreign, "no word with an accent but in the service's own texts, quoted");
		},
	},
];

const notMet = (line: string): Verdict => metUnless([line], '');

const sources = (files: Project['files']): string[] =>
	Object.keys(files).filter((name) => /^(nodes|credentials)\//.test(name));

/** Lines of the sources that a pattern finds, comments aside. */
function found({ files }: Project, pattern: RegExp): Verdict {
	const lines = sources(files).flatMap((name) =>
		files[name]!.split('\n')
			.filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line) && pattern.test(line))
			.map((line) => `${name}: ${line.trim()}`),
	);
	return metUnless(lines, 'nodes/, credentials/; the linter holds it, too');
}

/** Markdown without code and what it quotes. */
const withoutQuotations = (text: string): string =>
	text.replace(/```[\s\S]*?```|`[^`\n]*`|"[^"\n]*"|'[^'\n]*'/g, '');
