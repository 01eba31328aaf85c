import { fieldsOf, nameOf, operationsOf } from '../form';
import { interfaceOf, mostFields } from '../interface';
import { ux } from '../links';
import { forPeople, met, metUnless, notApplicable, onPurpose, type Point } from '../point';

/** Lists that stand second, and why. */
const listsSecond: Record<string, string> = {
	campaignId:
		'the interface leaves open whether campaigns can be listed without an id (§4.7, §4.8), an id works for every account',
};

/** What the forms offer, and what the nodes put out. */
export const structure: Point[] = [
	{
		guideline: 'Keys and other secrets are password fields',
		link: ux('credentials'),
		check({ credentials }) {
			const shown = fieldsOf({ nodes: [], credentials })
				.filter(({ name }) => /(key|token|secret|password)$/i.test(name))
				.filter(({ typeOptions }) => typeOptions?.password !== true);
			return metUnless(
				shown.map((field) => `${nameOf(field)} can be read by everybody who looks on`),
				'credentials/',
			);
		},
	},
	{
		guideline: 'OAuth, where the service has it',
		link: ux('oauth'),
		check(project) {
			const schemes = Object.values(interfaceOf(project).components.securitySchemes);
			const hasOAuth = schemes.some(({ type }) => /^(oauth2|openIdConnect)$/.test(type));
			const isOffered = project.credentials.some(({ extends: bases = [] }) =>
				bases.includes('oAuth2Api'),
			);
			if (!hasOAuth)
				return notApplicable('the service has API keys only (docs/openapi.yaml, securitySchemes)');
			return metUnless(
				isOffered ? [] : ['the service has OAuth, no credential offers it'],
				'credentials/',
			);
		},
	},
	{
		guideline: 'Every usual operation that the service has: create, get, get many, update, delete',
		link: ux('operations-to-include'),
		check(project) {
			const operations = Object.entries(project.files)
				.filter(([name]) => /^nodes\/(MessagingGateway\/operations|gateway\/endpoints)/.test(name))
				.map(([, text]) => text)
				.join('\n');
			const paths = Object.keys(interfaceOf(project).paths);
			const unused = paths.filter(
				(path) => !operations.includes(path.replace('/v2/chatapp', '').replace(/\{.*/, '')),
			);
			return metUnless(
				unused.map((path) => `no operation uses ${path}`),
				`all ${paths.length} addresses of docs/openapi.yaml; it has no others`,
			);
		},
	},
	{
		guideline: 'A resource locator wherever one thing is selected',
		link: ux('resource-locator'),
		check(project) {
			const plain = fieldsOf(project)
				.filter(({ name, collection }) => /Id$/.test(name) && !collection)
				.filter(({ type }) => type !== 'resourceLocator');
			return metUnless(
				plain.map((field) => `${nameOf(field)} is a plain field`),
				'every id of the nodes. Sub-workflows have a selector of their own',
			);
		},
	},
	{
		guideline: "Resource locators begin with 'From List'",
		link: ux('resource-locator'),
		check(project) {
			const others = fieldsOf(project)
				.filter(({ type }) => type === 'resourceLocator')
				.filter((field) => (field.default as { mode?: string }).mode !== 'list');
			const unexplained = others.filter(({ name }) => !listsSecond[name]);
			const [explained] = others;
			if (unexplained.length === 0 && explained) {
				return onPurpose(
					`${nameOf(explained)} begins with 'By ID': ${listsSecond[explained.name]}`,
				);
			}
			return metUnless(
				unexplained.map((field) => `${nameOf(field)} begins with another mode`),
				'test/unit/properties/contract.test.ts',
			);
		},
	},
	{
		guideline: "Works as n8n's newest nodes do, and as those for similar services",
		link: ux('consistency-with-other-nodes'),
		check: () => forPeople("docs/images, beside n8n's Telegram, WhatsApp and Twilio nodes"),
	},
	{
		guideline: "Sorting in 'Get Many', where the service sorts",
		link: ux('sorting-options'),
		check(project) {
			const { paths, components } = interfaceOf(project);
			const parameters = [
				...Object.values(paths).flatMap((path) =>
					Object.values(path).flatMap((operation) => operation.parameters ?? []),
				),
				...Object.values(components.parameters),
			];
			const sorts = parameters.some(({ name = '' }) => /sort|order/i.test(name));
			if (!sorts) return notApplicable('no list of the service can be sorted (docs/openapi.yaml)');
			const isOffered = fieldsOf(project).some(({ name }) => name === 'sort');
			return metUnless(isOffered ? [] : ["the service sorts, no form has 'Sort'"], 'the forms');
		},
	},
	{
		guideline: 'Deleting gives { deleted: true }',
		link: ux('deleting-operations-output'),
		check(project) {
			const files = Object.entries(project.files).filter(([name]) =>
				/\/resources\/.*\/delete\.ts$/.test(name),
			);
			const count = operationsOf(project).filter(({ value }) => value === 'delete').length;
			return metUnless(
				[
					...(files.length === count
						? []
						: [`${count} operations delete, ${files.length} files delete.ts`]),
					...files
						.filter(([, text]) => !/\bdeleted: true\b/.test(text))
						.map(([name]) => `${name} does not give 'deleted: true'`),
				],
				'nodes/MessagingGateway/operations/; test/unit/operations/shapes.test.ts',
			);
		},
	},
	{
		guideline:
			"'Simplify', in n8n's words, where an answer has more than ten fields; then at most ten",
		link: ux('normal-nodes-simplify-parameter'),
		check(project) {
			const fields = fieldsOf(project).filter(({ name }) => name === 'simplify');
			const wrong = fields.filter(
				({ displayName, type, description }) =>
					displayName !== 'Simplify' ||
					type !== 'boolean' ||
					description !==
						'Whether to return a simplified version of the response instead of the raw data',
			);
			const most = mostFields(project);
			return metUnless(
				[
					...wrong.map((field) => `${nameOf(field)} does not say it in n8n's words`),
					...(most > 10 && fields.length === 0
						? [`an answer has ${most} fields, no form has 'Simplify'`]
						: []),
				],
				`no object of the service has more than ${most} fields; 'Simplify' gives at most seven`,
			);
		},
	},
	{
		guideline:
			"For AI agents: 'Output' with simplified, raw and selected fields, where an answer has more than ten",
		link: ux('ai-tool-nodes-output-parameter'),
		check(project) {
			const most = mostFields(project);
			if (most <= 10)
				return notApplicable(
					`no object of the service has more than ${most} fields (docs/openapi.yaml)`,
				);
			const isOffered = fieldsOf(project).some(
				({ name, choices }) => name === 'output' && choices.length === 3,
			);
			return isOffered
				? met('the forms')
				: metUnless([`an answer has ${most} fields: 'Output' is missing`], '');
		},
	},
];
