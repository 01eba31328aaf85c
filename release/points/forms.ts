import type { INodeProperties } from 'n8n-workflow';
import { fieldsOf, textsOf } from '../form';
import { design } from '../links';
import { metUnless, notApplicable, type Point } from '../point';

const where = 'test/unit/properties/wording.test.ts';

/** The page on the design of forms, which the guidelines lead to. */
export const forms: Point[] = [
	{
		guideline: "The name of a trigger ends with ' Trigger', and no name has 'node' in it",
		link: design('node-naming-conventions'),
		check: ({ nodes }) =>
			metUnless(
				nodes
					.filter(
						({ displayName, group }) =>
							group.includes('trigger') !== displayName.endsWith(' Trigger') ||
							/\bnode\b/i.test(displayName),
					)
					.map(({ displayName }) => `'${displayName}'`),
				'package.json, n8n.nodes',
			),
	},
	{
		guideline: 'Optional fields in alphabetical order',
		link: design('optional-fields'),
		check: ({ nodes }) =>
			metUnless(
				nodes.flatMap(({ displayName, properties }) =>
					properties
						.filter(({ type }) => type === 'collection')
						.filter(({ options = [] }) => !isSorted(options as INodeProperties[]))
						.map((field) => `${displayName} › ${field.displayName}`),
				),
				where,
			),
	},
	{
		guideline: 'A full stop after several sentences, none after a single one',
		link: design('ui-text-style'),
		check: (project) =>
			metUnless(
				textsOf(project)
					.filter(
						({ at, text }) =>
							!at.endsWith('notice') && text.endsWith('.') !== hasSeveralSentences(text),
					)
					.map(({ at, text }) => `${at}: '${text}'`),
				where,
			),
	},
	{
		guideline: "A trigger that offers events asks for them as 'Trigger On'",
		link: design('trigger-node-inputs'),
		check({ nodes }) {
			const fields = fieldsOf({ nodes, credentials: [] }).filter(({ name }) =>
				/^events?$/.test(name),
			);
			if (fields.length === 0) return notApplicable('the trigger has every delivery for its event');
			return metUnless(
				fields
					.filter(({ displayName }) => displayName !== 'Trigger On')
					.map(({ owner, displayName }) => `${owner} › ${displayName}`),
				'the form',
			);
		},
	},
	{
		guideline: "Files are 'Input Data Field Name', never binary data",
		link: design('source-keys-or-binary-properties'),
		check: (project) =>
			metUnless(
				fieldsOf(project)
					.filter(
						({ name, displayName }) =>
							name === 'binaryPropertyName' && displayName !== 'Input Data Field Name',
					)
					.map(({ owner, displayName }) => `${owner} › ${displayName}`),
				'nodes/form/fields/audio.ts',
			),
	},
];

const isSorted = (fields: INodeProperties[]): boolean => {
	const names = fields.map(({ displayName }) => displayName);
	return names.join() === [...names].sort((a, b) => a.localeCompare(b)).join();
};

/** After 'e.g.' and the like no sentence begins. */
const hasSeveralSentences = (text: string): boolean =>
	/[^.][.?!] +['<(]*[A-Z0-9_]/.test(text.replace(/\b(e\.g|i\.e)\./g, ''));
