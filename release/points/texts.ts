import { fieldsOf, nameOf, operationsOf, textsOf, type Field } from '../form';
import { ux } from '../links';
import { forPeople, metUnless, type Point } from '../point';

const where = 'test/unit/properties/wording.test.ts';
/** Their label is a sentence, or none is drawn. */
const isLabelled = ({ type }: Field) => type !== 'notice' && type !== 'hidden';

/** How the forms put it. */
export const texts: Point[] = [
	{
		guideline: 'Title Case for nodes, labels and entries of dropdowns',
		link: ux('text-case'),
		check(project) {
			const labels = fieldsOf(project)
				.filter(isLabelled)
				.flatMap(({ displayName, choices }) => [displayName, ...choices.map(({ name }) => name)]);
			const names = [...project.nodes, ...project.credentials].map(
				({ displayName }) => displayName,
			);
			return metUnless(
				[...new Set([...names, ...labels])]
					.filter((label) => !isTitleCase(label))
					.map((label) => `'${label}'`),
				where,
			);
		},
	},
	{
		guideline: 'Sentence case for actions, descriptions and hints',
		link: ux('text-case'),
		check(project) {
			const actions = operationsOf(project).map(({ action }) => ({ at: 'action', text: action }));
			return metUnless(
				[...actions, ...textsOf(project)]
					.filter(({ text }) => !isSentenceCase(text))
					.map(({ at, text }) => `${at}: '${text}'`),
				where,
			);
		},
	},
	{
		guideline: "The service's own words, those of its screens before those of its API",
		link: ux('terminology'),
		check: () => forPeople('docs/images; the words of docs/openapi.yaml, put into English'),
	},
	{
		guideline: 'No jargon, and one word for one thing',
		link: ux('terminology'),
		check(project) {
			const jargon =
				/\b(payload|endpoint|boolean|stringified|enum|regex|binary (data|property))\b/i;
			return metUnless(
				textsOf(project)
					.filter(({ text }) => jargon.test(text))
					.map(({ at, text }) => `${at}: '${text}'`),
				`${where}; docs/images`,
			);
		},
	},
	{
		guideline: "Placeholders are examples that begin with 'e.g.'",
		link: ux('placeholders'),
		check: (project) =>
			metUnless(
				fieldsOf(project)
					.filter(({ placeholder, type }) => placeholder && !/^(c|fixedC)ollection$/.test(type))
					.filter(({ placeholder }) => !/^e\.g\. \S/.test(placeholder!))
					.map((field) => `${nameOf(field)}: '${field.placeholder}'`),
				where,
			),
	},
	{
		guideline: 'The name of an operation leaves out the resource that stands above it',
		link: ux('naming-name'),
		check: (project) =>
			metUnless(
				operationsOf(project)
					.filter(({ name, resource }) => new RegExp(`\\b${nounOf(resource)}s?\\b`, 'i').test(name))
					.map(({ name, resource }) => `${resource}: ${name}`),
				where,
			),
	},
	{
		guideline: 'An action says what it is about',
		link: ux('naming-action'),
		check: (project) =>
			metUnless(
				operationsOf(project)
					// What is not done to the resource itself is named in the operation: 'Send SMS'.
					.filter(({ action, name, resource }) => {
						const [, object = nounOf(resource)] = name.replace(/ (Many|Out)$/, '').split(' ');
						const nouns = new RegExp(`\\b(${nounOf(resource)}|${object})s?\\b`, 'i');
						return !nouns.test(action);
					})
					.map(({ action }) => `'${action}'`),
				where,
			),
	},
	{
		guideline: 'An action has no articles',
		link: ux('naming-action'),
		check: (project) =>
			metUnless(
				operationsOf(project)
					.filter(({ action }) => /\b(a|an|the)\b/i.test(action))
					.map(({ action }) => `'${action}'`),
				where,
			),
	},
	{
		guideline: "An operation's description says more than its name, in other words",
		link: ux('naming-description'),
		check: (project) =>
			metUnless(
				operationsOf(project)
					.filter(
						({ action, description }) =>
							description.length <= action.length || description === action,
					)
					.map(({ action }) => `'${action}'`),
				where,
			),
	},
	{
		guideline: "n8n's verbs: get, get many, create, update, delete",
		link: ux('vocabulary'),
		check: (project) =>
			metUnless(
				operationsOf(project)
					.filter(({ name }) =>
						/^(List|Get All|Read|Fetch|Retrieve|Find|Add|Edit|Change|Remove|Upsert)\b/.test(name),
					)
					.map(({ name, resource }) => `${resource}: ${name}`),
				"beside them 'Send', 'Set', 'Revoke' and 'Log Out', for which n8n has none",
			),
	},
	{
		guideline: 'Names of fields in single quotes',
		link: ux('referring-to-parameter-and-field-name'),
		check(project) {
			const labels = [
				...new Set(
					fieldsOf(project)
						.filter(isLabelled)
						.map(({ displayName }) => displayName),
				),
			];
			const unquoted = labels
				.filter((label) => / [A-Z]/.test(label) && label !== 'API Key') // which is a thing, too
				.flatMap((label) =>
					textsOf(project)
						.filter(({ text }) => new RegExp(`(?<!'|\\w)${escape(label)}(?!'|\\w)`).test(text))
						.map(({ at }) => `${at} names ${label} without quotes`),
				);
			return metUnless(unquoted, where);
		},
	},
	{
		guideline: "Switches are described with 'Whether'",
		link: ux('boolean-description'),
		check: (project) =>
			metUnless(
				fieldsOf(project)
					.filter(
						({ type, description = '' }) =>
							type === 'boolean' && !description.startsWith('Whether '),
					)
					.map(nameOf),
				where,
			),
	},
];

/** `API Key` → `Key` */
const nounOf = (resource: string): string => resource.split(' ').at(-1)!;

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const isTitleCase = (label: string): boolean =>
	label
		.split(/[\s/-]+/)
		.every(
			(word, index) =>
				/^\W*[A-Z0-9]/.test(word) ||
				(index > 0 && /^(a|an|and|as|at|by|for|from|if|in|is|of|on|or|per|the|to)$/.test(word)),
		);

/** Begins with a capital, and is not written like a title: names may stand in it. */
function isSentenceCase(text: string): boolean {
	const withoutNames = text.replace(
		/<[^>]*>|'[^']*'|\b(Base64|Data Tables?|Remove Duplicates)\b/g,
		'',
	);
	const [first = '', ...words] = withoutNames
		.split(/[.:!?]\s+/)[0]!
		.trim()
		.split(/\s+/);
	const capitals = words.filter((word) => /^[A-Z][a-z]/.test(word));
	return !/^[a-z]+$/.test(first) && capitals.length <= words.length / 2;
}
