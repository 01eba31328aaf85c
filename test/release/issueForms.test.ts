import Ajv from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const folder = path.join(__dirname, '../../.github/ISSUE_TEMPLATE');
const forms = readdirSync(folder)
	.filter((name) => name !== 'config.yml')
	.map((name) => [name, parse(readFileSync(path.join(folder, name), 'utf8')) as Form] as const);

interface Form {
	body: Array<{ id?: string; attributes: { label?: string }; validations?: { required: boolean } }>;
}

const text = { type: 'string', minLength: 1 };
const element = (type: string, needed: string[], attributes: object) => ({
	type: 'object',
	properties: {
		type: { const: type },
		id: { type: 'string', pattern: '^[\\w-]+$' },
		attributes: {
			type: 'object',
			properties: attributes,
			required: needed,
			additionalProperties: false,
		},
		validations: {
			type: 'object',
			properties: { required: { type: 'boolean' } },
			additionalProperties: false,
		},
	},
	required: type === 'markdown' ? ['type', 'attributes'] : ['type', 'id', 'attributes'],
	additionalProperties: false,
});
const field = { label: text, description: text, placeholder: text };

/** What GitHub takes (https://docs.github.com/communities, 'Syntax for issue forms'), as far as it is used. */
const schema = {
	type: 'object',
	properties: {
		name: text,
		description: text,
		labels: { type: 'array', items: text },
		body: {
			type: 'array',
			minItems: 1,
			items: {
				type: 'object',
				discriminator: { propertyName: 'type' },
				required: ['type'],
				oneOf: [
					element('markdown', ['value'], { value: text }),
					element('input', ['label'], field),
					element('textarea', ['label'], { ...field, render: text }),
					element('dropdown', ['label', 'options'], {
						label: text,
						description: text,
						options: { type: 'array', items: text, minItems: 1, uniqueItems: true },
					}),
					element('checkboxes', ['label', 'options'], {
						label: text,
						options: {
							type: 'array',
							items: {
								type: 'object',
								properties: { label: text, required: { type: 'boolean' } },
								required: ['label'],
								additionalProperties: false,
							},
						},
					}),
				],
			},
		},
	},
	required: ['name', 'description', 'body'],
	additionalProperties: false,
};
const validate = new Ajv({ discriminator: true }).compile(schema);

test.each(forms)('%s is a form that GitHub shows', (_, form) => {
	validate(form);
	expect(validate.errors).toBeNull();
	const ids = form.body.flatMap(({ id }) => id ?? []);
	const labels = form.body.flatMap(({ attributes }) => attributes.label ?? []);
	expect(new Set(ids).size).toBe(ids.length);
	expect(new Set(labels).size).toBe(labels.length);
});

test.each([
	['an element that there is not', { type: 'number', id: 'a', attributes: { label: 'A' } }],
	['a field without a label', { type: 'input', id: 'a', attributes: {} }],
	[
		'a dropdown with a choice that is no text',
		{ type: 'dropdown', id: 'a', attributes: { label: 'A', options: [false] } },
	],
])('the check finds %s', (_, element) => {
	expect(validate({ name: 'A', description: 'A', body: [element] })).toBe(false);
});

test('a report says all that is needed to look into it', () => {
	const { body } = forms.find(([name]) => name === 'bug.yml')![1];
	const required = body.filter(({ validations }) => validations?.required).map(({ id }) => id);
	expect(required).toEqual([
		...['package', 'n8n', 'install', 'operation', 'happened', 'expected', 'outcome', 'sent'],
	]);
});
