import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { groups } from '../../release/points';
import { placeholder, publishing } from '../../release/points/publishing';
import type { Verdict } from '../../release/point';
import type { Project } from '../../release/project';
import { changed, readyProject } from './ready';

const points = groups.flatMap((group) => group.points);
const ready = readyProject();
const empty = mkdtempSync(path.join(os.tmpdir(), 'release-points-'));
afterAll(() => rmSync(empty, { recursive: true }));

/** Of the package that is ready, by guideline. */
const verdicts = new Map<string, Verdict>();
beforeAll(async () => {
	for (const { guideline, check } of points) verdicts.set(guideline, await check(ready));
});

test('each point is told once, with where n8n asks for it', () => {
	expect(verdicts.size).toBe(points.length);
	for (const { link } of points) expect(link).toMatch(/^https:\/\/\S+$/);
	for (const { because } of verdicts.values()) expect(because).not.toBe('');
});

test('all is met as soon as the maintainer has filled in what only he knows', () => {
	const notMet = [...verdicts].filter(([, { verdict }]) => verdict === 'not met');
	expect(notMet).toEqual([]);
});

test('what stands in for a maintainer is found wherever it is, and what to put there is told', async () => {
	const waiting = changed(ready, ({ manifest, files }) => {
		const repository = `https://${placeholder.repository}n8n-nodes-messaging-gateway`;
		manifest.author = { name: placeholder.name, email: `maintainers@${placeholder.domain}` };
		manifest.homepage = `${repository}#readme`;
		manifest.repository = { type: 'git', url: `git+${repository}.git` };
		manifest.bugs = { url: `${repository}/issues` };
		files['credentials/Any.credentials.ts'] = `documentationUrl = '${repository}'`;
	});
	const found = await Promise.all(publishing.map(async ({ check }) => await check(waiting)));
	const missing = found.flatMap((verdict) => verdict.missing).join('\n');
	for (const field of ['author.name', 'author.email', 'homepage', 'repository.url', 'bugs.url']) {
		expect(missing).toContain(`${field} in package.json`);
	}
	expect(missing).toContain('credentials/Any.credentials.ts');
});

type Breaks = Array<(copy: Project) => void>;

const operation = ({ nodes }: Project): INodePropertyOptions =>
	nodes[0]!.properties.find(({ name }) => name === 'operation')!
		.options![0] as INodePropertyOptions;
const aField = ({ nodes }: Project, type: INodeProperties['type']): INodeProperties =>
	nodes[0]!.properties.find((property) => property.type === type)!;
const addField = ({ nodes }: Project, field: Partial<INodeProperties>): void => {
	nodes[0]!.properties.push({
		displayName: 'A Field',
		name: 'aField',
		type: 'string',
		default: '',
		...field,
	});
};
const replace = (file: string, from: string | RegExp, to: string) => (copy: Project) => {
	const before = copy.files[file]!;
	copy.files[file] = before.replace(from, to);
	if (copy.files[file] === before) throw new Error(`Nothing to replace in ${file}`);
};
const remove = (file: string) => (copy: Project) => {
	delete copy.files[file];
};
const source = (line: string) => (copy: Project) => {
	copy.files['nodes/any.ts'] = line;
};
const inManifest = (change: (manifest: Project['manifest']) => void) => (copy: Project) =>
	change(copy.manifest);
const wideAnswer = replace(
	'docs/openapi.yaml',
	/^    ApiKey:$/m,
	`    Wide:\n      properties: { ${[...'abcdefghijk'].map((name) => `${name}: {}`).join(', ')} }\n    ApiKey:`,
);
const workflow = '.github/workflows/publish.yml';
const snapshot = 'test/unit/operations/__snapshots__/refusals.test.ts.snap';
const told = (text: string) => (copy: Project) => {
	copy.files[snapshot] += `exports[\`more 1\`] = \`"${text}"\`;\n`;
};

/** How each point can be missed. */
const breaks: Record<string, Breaks> = {
	'Published by a GitHub action, with a statement of provenance': [
		remove(workflow),
		replace(workflow, ' --provenance', ''),
		replace(workflow, "['v*']", "['release-*']"),
		replace(workflow, 'id-token: write', 'contents: read'),
	],
	'The repository that npm names is the one on GitHub that this is published from': [
		inManifest((manifest) => delete manifest.repository),
		inManifest((manifest) => (manifest.repository!.url = 'https://example.com/acme.git')),
		inManifest((manifest) => (manifest.homepage = 'https://example.com')),
		inManifest((manifest) => delete manifest.bugs),
		(copy) => (copy.git.origin = 'https://github.com/acme/another'),
		source(`'https://${placeholder.repository}x'`),
	],
	'Author and maintainer are the same on npm and in the repository': [
		inManifest((manifest) => delete manifest.author),
		inManifest((manifest) => (manifest.author!.name = placeholder.name)),
		inManifest((manifest) => (manifest.author!.email = `a@${placeholder.domain}`)),
		inManifest((manifest) => (manifest.author!.email = 'nobody')),
	],
	'The licence is MIT': [
		inManifest((manifest) => (manifest.license = 'ISC')),
		remove('LICENSE'),
		(copy) => (copy.packed = copy.packed.filter((file) => file !== 'LICENSE')),
	],
	"The name begins with 'n8n-nodes-'": [inManifest((manifest) => (manifest.name = 'messaging'))],
	"The keyword 'n8n-community-node-package'": [inManifest((manifest) => (manifest.keywords = []))],
	"Nodes and credentials are named under 'n8n' in package.json, and packed": [
		(copy) => copy.packed.splice(0, 1),
		inManifest(({ n8n }) => n8n.nodes.splice(0, 1)),
	],
	'No node for logic or flow control': [
		replace('nodes/MessagingGateway/MessagingGateway.node.json', '"Communication"', '"Core Nodes"'),
		(copy) => delete copy.nodes[0]!.credentials,
	],
	'One service per package, triggers for it included': [
		(copy) => copy.credentials.push(copy.credentials[0]!),
		(copy) => copy.nodes[0]!.credentials!.push({ name: 'slackApi' }),
	],
	'Tried in a real n8n': [
		inManifest(({ scripts }) => delete scripts.start),
		remove('.github/workflows/checks.yml'),
	],
	'Made and checked with the n8n-node tool': [
		remove('eslint.config.mjs'),
		inManifest(({ n8n }) => delete n8n.strict),
	],
	'No runtime dependencies': [
		inManifest((manifest) => (manifest.dependencies = { luxon: '^3' })),
		inManifest((manifest) => (manifest.peerDependencies!.luxon = '^3')),
	],
	'No environment variables, no files: all data comes through parameters': [
		source('const a = process.env.HOME;'),
		source("import { readFileSync } from 'node:fs';"),
	],
	"Requests by n8n's own helper, no HTTP library": [
		source('await fetch(url);'),
		source("import { request } from 'https';"),
	],
	'Written in TypeScript': [
		(copy) => (copy.files['nodes/any.js'] = ''),
		replace('tsconfig.json', '"strict": true', '"strict": false'),
	],
	'One coding style, held by the linter without a warning': [
		inManifest(({ scripts }) => (scripts.lint = 'eslint .')),
		replace('.github/workflows/checks.yml', 'run: npm run lint', 'run: npm run build'),
	],
	"n8n's package scanner passes": [
		(copy) => {
			writeFileSync(
				path.join(empty, 'package.json'),
				JSON.stringify({ ...copy.manifest, dependencies: { luxon: '^3' } }),
			);
			copy.folder = empty;
		},
	],
	"'Resource' comes first, 'Operation' second": [(copy) => copy.nodes[0]!.properties.shift()],
	'A field has one internal name wherever it is shown, so that its value stays': [
		(copy) => addField(copy, { displayName: 'Resource', name: 'another' }),
	],
	'What comes in is not changed': [source("this.getInputData()[0]!.json.status = 'sent';")],
	'English only: forms, errors, documentation': [
		replace('README.md', '# ', '# Mensagem não enviada. '),
		(copy) => (operation(copy).description = 'Enviar a cobrança'),
	],
	'A README with instructions to install and to use it': [
		replace('README.md', '## Install', '## Begin'),
		(copy) => (copy.packed = copy.packed.filter((file) => file !== 'README.md')),
	],
	'What is needed to authenticate': [
		(copy) =>
			(copy.files['README.md'] = copy.files['README.md']!.replaceAll('API Key', 'password')),
	],
	'Example workflows': [
		(copy) => {
			for (const name of Object.keys(copy.files))
				if (name.startsWith('examples/')) delete copy.files[name];
		},
		(copy) => (copy.files['examples/any.json'] = '{}'),
		(copy) => (copy.files['README.md'] = copy.files['README.md']!.replaceAll('examples/', '')),
	],
	"The service's interface": [
		remove('docs/openapi.yaml'),
		(copy) => (copy.files['README.md'] = ''),
	],
	'Keys and other secrets are password fields': [
		(copy) =>
			delete copy.credentials[0]!.properties.find(({ name }) => name === 'apiKey')!.typeOptions,
	],
	'OAuth, where the service has it': [replace('docs/openapi.yaml', 'type: http', 'type: oauth2')],
	'Every usual operation that the service has: create, get, get many, update, delete': [
		replace('docs/openapi.yaml', /^paths:$/m, 'paths:\n  /v1/contacts: {}'),
	],
	'A resource locator wherever one thing is selected': [
		(copy) => addField(copy, { displayName: 'Contact ID', name: 'contactId' }),
	],
	"Resource locators begin with 'From List'": [
		(copy) => (aField(copy, 'resourceLocator').default = { mode: 'id', value: '' }),
	],
	"Sorting in 'Get Many', where the service sorts": [
		replace(
			'docs/openapi.yaml',
			/^    ApiKeyStatus:$/m,
			'    Sort: { name: sort_by }\n    ApiKeyStatus:',
		),
	],
	'Deleting gives { deleted: true }': [
		replace(
			'nodes/MessagingGateway/operations/campaign/delete.ts',
			'deleted: true',
			'success: true',
		),
		remove('nodes/MessagingGateway/operations/campaign/delete.ts'),
	],
	"'Simplify', in n8n's words, where an answer has more than ten fields; then at most ten": [
		(copy) => addField(copy, { name: 'simplify', displayName: 'Simple', type: 'boolean' }),
		(copy) => {
			wideAnswer(copy);
			for (const node of copy.nodes)
				node.properties = node.properties.filter(({ name }) => name !== 'simplify');
		},
	],
	"For AI agents: 'Output' with simplified, raw and selected fields, where an answer has more than ten":
		[wideAnswer],
	'Title Case for nodes, labels and entries of dropdowns': [
		(copy) => addField(copy, { displayName: 'Phone number' }),
		(copy) => (operation(copy).name = 'get many'),
	],
	'Sentence case for actions, descriptions and hints': [
		(copy) => (operation(copy).action = 'Get Many Of Them'),
		(copy) => addField(copy, { description: 'number of the recipient' }),
		(copy) => addField(copy, { hint: 'The Number Of The Recipient' }),
	],
	'No jargon, and one word for one thing': [
		(copy) => addField(copy, { description: 'The payload of the request' }),
	],
	"Placeholders are examples that begin with 'e.g.'": [
		(copy) => addField(copy, { placeholder: 'Enter a number' }),
	],
	'The name of an operation leaves out the resource that stands above it': [
		(copy) => (operation(copy).name = 'Get Many API Keys'),
	],
	'An action says what it is about': [(copy) => (operation(copy).action = 'Get many')],
	'An action has no articles': [(copy) => (operation(copy).action = 'Get a list of API keys')],
	"An operation's description says more than its name, in other words": [
		(copy) => (operation(copy).description = operation(copy).action),
	],
	"n8n's verbs: get, get many, create, update, delete": [(copy) => (operation(copy).name = 'List')],
	'Names of fields in single quotes': [
		(copy) => addField(copy, { description: 'Raise Max Retries instead' }),
	],
	"Switches are described with 'Whether'": [
		(copy) => addField(copy, { type: 'boolean', description: 'If it is sent' }),
	],
	'What happened, and how to go on': [told("'To' is empty")],
	'The field that is wrong is named as it is labelled': [told('The number is empty | Enter one.')],
	'The item is named: [Item 3]': [
		(copy) => (copy.files['nodes/gateway/errors.ts'] = 'new NodeApiError(node, {}, { message })'),
	],
	"Without the words 'error', 'problem', 'failure' and 'mistake'": [
		told("'To' has an error | Mend it."),
	],
	"The name of a trigger ends with ' Trigger', and no name has 'node' in it": [
		(copy) => (copy.nodes[0]!.displayName = 'Messaging Node'),
		(copy) => (copy.nodes[0]!.group = ['trigger']),
	],
	'Optional fields in alphabetical order': [
		(copy) => {
			aField(copy, 'collection').displayName = 'Options';
			addField(copy, {
				type: 'collection',
				options: ['B', 'A'].map((displayName) => ({
					displayName,
					name: displayName,
					type: 'string',
					default: '',
				})),
			});
		},
	],
	'A full stop after several sentences, none after a single one': [
		(copy) => addField(copy, { description: 'Number of the recipient.' }),
		(copy) => addField(copy, { description: 'Number of the recipient. With country code' }),
	],
	"A trigger that offers events asks for them as 'Trigger On'": [
		(copy) => addField(copy, { name: 'event', displayName: 'Which Event' }),
	],
	"Files are 'Input Data Field Name', never binary data": [
		(copy) => addField(copy, { name: 'binaryPropertyName', displayName: 'Binary Property' }),
	],
	'The changelog has this version, with its date': [
		replace('CHANGELOG.md', '2030-12-31', 'unreleased'),
		inManifest((manifest) => (manifest.version = '9.9.9')),
	],
	'The tag of this commit, if it has one, is the version': [
		(copy) => (copy.git.tagsHere = ['v9.9.9']),
		({ git, manifest }) => (git.tags = [`v${manifest.version}`]),
	],
	'Everything is committed': [(copy) => (copy.git.changed = ['README.md'])],
};

test.each(points)('$guideline: can be missed, unless only people can judge it', ({ guideline }) => {
	const isFixed =
		verdicts.get(guideline)!.verdict === 'for people' ||
		guideline.startsWith('The declarative style');
	expect(guideline in breaks).toBe(!isFixed);
});

const ways = Object.entries(breaks).flatMap(([guideline, list]) =>
	list.map((way, index) => ({ guideline, number: index + 1, way })),
);

test.each(ways)('$guideline: is missed, way $number', async ({ guideline, way }) => {
	const { check } = points.find((point) => point.guideline === guideline)!;
	const { verdict, missing } = await check(changed(ready, way));
	expect(verdict).toBe('not met');
	expect(missing).not.toEqual(verdicts.get(guideline)!.missing);
	for (const line of missing) expect(line.trim()).not.toBe('');
});
