/** What n8n asks of texts and forms and no linter holds, see docs/guidelines.md, and what this package does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { actionIds, operationOf, rowOf } from '../../../tools/shared/operations';
import { flatten, namesInQuotes, nodeFields, nodeLabels } from '../support/wording';

const credentialFields = new MessagingGatewayApi().properties;
const triggers = [MessagingGatewayTrigger, MessagingGatewayStatusTrigger].map(
	(Node) => new Node().description,
);
const triggerFields = triggers.flatMap(({ properties }) => flatten(properties));
const others = [...triggerFields, ...credentialFields];
const fields = [...nodeFields, ...others].filter(({ type }) => type !== 'notice');
const labels = [...nodeLabels, ...others.map(({ displayName }) => displayName)];
const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation, title: operation.action })),
);

const choicesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
/** Descriptions and hints of fields and of what can be chosen. */
const texts = fields
	.flatMap((field) => [
		field.description,
		field.hint,
		...choicesOf(field).map((each) => each.description),
	])
	.filter((text): text is string => Boolean(text));
const actions = operations.map(({ title }) => title);

const byName = fields.map((field) => [field.name, field] as const);
const sorted = (names: string[]) => [...names].sort((a, b) => a.localeCompare(b));

test('sending comes first; other operations, and optional fields, are in alphabetical order', () => {
	const [message, ...others] = resources;
	expect(message!.operations[0]!.action).toBe('Send SMS');
	const lists = [
		others.map(({ name }) => name),
		...others.map((resource) => resource.operations.map(({ name }) => name)),
		...fields
			.filter(({ type }) => type === 'collection')
			.map(({ options = [] }) =>
				(options as INodeProperties[]).map(({ displayName }) => displayName),
			),
	];
	for (const list of lists) expect(list).toEqual(sorted(list));
});

test('a choice is described, unless its name says it all', () => {
	const plain = ['Channel', 'Unit'];
	const bare = nodeFields
		.filter(({ type, displayName }) => type === 'options' && !plain.includes(displayName))
		.flatMap(({ displayName, options = [] }) =>
			(options as INodePropertyOptions[])
				.filter(({ description }) => !description)
				.map(({ name }) => `${displayName}: ${name}`),
		);
	expect(bare).toEqual([]);
});

test.each(byName.filter(([, { type }]) => type === 'boolean'))(
	'%s: a switch says whether',
	(_, { description }) => {
		expect(description).toMatch(/^Whether /);
	},
);

test('a switch among the options is on once it is added: nobody adds it to leave it off', () => {
	const options = fields
		.filter(({ name }) => name === 'options')
		.flatMap(({ options: entries = [] }) => entries as INodeProperties[]);
	const switches = options.filter(({ type }) => type === 'boolean');
	expect(switches.length).toBeGreaterThan(5);
	for (const { name, default: added } of switches) expect([name, added]).toEqual([name, true]);
});

test.each(byName.filter(([, { placeholder }]) => placeholder !== undefined))(
	'%s: the placeholder is an example or what the button does',
	(_, { placeholder, type }) => {
		expect(placeholder).toMatch(/ollection$/.test(type) ? /^(Add|Change) [A-Z]/ : /^e\.g\. \S/);
	},
);

test.each(byName)('%s: there are texts, and they name only what is on the screen', (_, field) => {
	const { displayName, description = '', hint = '', type } = field;
	const texts = [displayName, description, hint].join(' ');
	expect(description + hint === '').toBe(
		type === 'collection' || displayName === 'Resource' || displayName === 'Operation',
	);
	for (const name of namesInQuotes(texts)) expect(labels).toContain(name);
});

/** By length, or in words that only their author would use. */
const unfit = /\b(tells?|look at|stands?|stood|whatever|would have to be)\b/i;

test('a text is short, in words of its reader', () => {
	const entries = fields.flatMap((field) => [field, ...choicesOf(field), ...(field.modes ?? [])]);
	const limited = (entries as INodeProperties[]).flatMap(({ description, hint }) => [
		[description ?? '', 120] as const,
		[hint ?? '', 90] as const,
	]);
	const ofOperations = operations.map(({ operation }) => [operation.description, 100] as const);
	for (const [text, limit] of [...limited, ...ofOperations]) {
		expect([text, text.length <= limit]).toEqual([text, true]);
		expect(text).not.toMatch(unfit);
	}
});

describe.each(operations)('$title', ({ resource, operation }) => {
	test('the name leaves out the resource, the action has it', () => {
		const [noun] = resource.name.split(' ').slice(-1);
		expect(operation.name).not.toMatch(new RegExp(`\\b${noun}\\b`, 'i'));
		expect(operation.action).toMatch(/^[A-Z][a-z]+ /);
		if (resource.value !== 'message')
			expect(operation.action).toMatch(new RegExp(`${noun}s?\\b`, 'i'));
	});

	test('the description is more than the action, for an agent to choose by', () => {
		expect(operation.description.length).toBeGreaterThan(operation.action.length);
	});

	test('what may be carried out twice, and only that, has nothing to explain', () => {
		expect(operation.uncertainty === undefined).toBe(operation.idempotent);
		for (const name of namesInQuotes(operation.uncertainty?.check)) expect(labels).toContain(name);
	});
});

test('of what changes something, only revoking a key and setting the webhook are repeated', () => {
	const changing = actionIds.filter((id) => rowOf(id).method !== 'GET').map(rowOf);
	const repeated = changing.filter((row) => operationOf(row).idempotent);
	expect(repeated.map(({ operation }) => operation)).toEqual(['set', 'revoke']);
});

const choices = fields.flatMap(choicesOf).map(({ name }) => name);
const titles = [...fields.map(({ displayName }) => displayName), ...choices];
const small = /^(a|an|and|as|at|by|for|from|if|in|is|of|on|or|per|the|to)$/;
const isTitle = (label: string) =>
	label
		.split(/[\s/-]+/)
		.every(
			(word, index) =>
				/^\W*[A-Z0-9]/.test(word) || word === 'n8n' || (index > 0 && small.test(word)),
		);

const isSentence = (text: string) => {
	const names = /<[^>]*>|'[^']*'|\b(Base64|Data Tables?|Remove Duplicates)\b/g;
	const [sentence = ''] = text.replace(names, '').split(/[.:!?]\s+/);
	const [first = '', ...words] = sentence.trim().split(/\s+/);
	const capitals = words.filter((word) => !/^[^A-Z]|^[A-Z]+$/.test(word));
	return !/^[a-z]+$/.test(first) && capitals.length <= words.length / 2;
};

const hasSeveral = (text: string) =>
	/[^.][.?!] +['<(]*[A-Z0-9_]/.test(text.replace(/\b(e\.g|i\.e)\./g, ''));

const without = (pattern: RegExp) => (text: string) => !pattern.test(text);
const jargon = /\b(payload|endpoint|boolean|stringified|enum|regex|binary (data|property))\b/i;
const otherVerbs = /^(List|Get All|Read|Fetch|Retrieve|Find|Add|Edit|Change|Remove|Upsert)\b/;

test.each<[string, string[], (text: string) => boolean]>([
	['labels and choices are in title case', titles, isTitle],
	['actions, descriptions and hints are no titles', [...actions, ...texts], isSentence],
	['no jargon', texts, without(jargon)],
	['an action has no article', actions, without(/\b(a|an|the)\b/i)],
	[
		'an operation has one of n8n’s verbs',
		operations.map(({ operation }) => operation.name),
		without(otherVerbs),
	],
	[
		'several sentences end with a full stop, a single one without',
		texts,
		(text) => text.endsWith('.') === hasSeveral(text),
	],
])('%s', (_, all, isFit) => {
	expect(all.filter((text) => !isFit(text))).toEqual([]);
});

test('names of fields stand in single quotes', () => {
	const names = fields.map(({ displayName }) => displayName).filter((name) => / [A-Z]/.test(name));
	const found = [...new Set(names)]
		.filter((name) => name !== 'API Key') // which is a thing, too
		.flatMap((name) =>
			texts.filter((text) =>
				new RegExp(`(?<!['\\w])${name.replace(/[()]/g, '\\$&')}(?!['\\w])`).test(text),
			),
		);
	expect(found).toEqual([]);
});

test('a field of one name has one internal name, so that its value stays', () => {
	const byLabel = new Map<string, Set<string>>();
	for (const { displayName, name } of nodeFields) {
		byLabel.set(displayName, (byLabel.get(displayName) ?? new Set()).add(name));
	}
	const several = [...byLabel].filter(([, names]) => names.size > 1).map(([label]) => label);
	expect(several.filter((label) => !/<b>/.test(label))).toEqual([]);
});

test('nodes are named as n8n names them, and ask first for what they are about', () => {
	expect(nodeFields.slice(0, 2).map(({ displayName }) => displayName)).toEqual([
		'Resource',
		'Operation',
	]);
	for (const { displayName } of triggers) expect(displayName).toMatch(/ Trigger$/);
	const byName = (name: string) =>
		fields.filter((field) => field.name === name).map(({ displayName }) => displayName);
	expect(byName('event')).toEqual(['Trigger On']);
	expect(new Set(byName('binaryPropertyName'))).toEqual(new Set(['Input Data Field Name']));
});

const labelsOfTwoWords = nodeFields
	.map(({ displayName }) => displayName)
	.filter((name) => name.includes(' '));

test('an error says how to go on, and has none of the words that n8n does without', () => {
	const file = path.join(__dirname, '../operations/__snapshots__/refusals.test.ts.snap');
	const snapshot = readFileSync(file, 'utf8');
	const told = [...snapshot.matchAll(/^(?:exports.*= `| +)"(.*)"(?:,|`;)$/gm)]
		.map(([, text]) => text!)
		.filter((text) => text !== 'is sent');
	expect(told.length).toBeGreaterThan(50);
	for (const text of told) {
		const [message = '', ...rest] = text.split(' | ');
		const hint = rest.join(' | ');
		expect([message, hint]).toEqual([
			expect.not.stringMatching(/\.$/),
			expect.stringMatching(/\.$/),
		]);
		expect(message + hint).toMatch(/'[A-Z]/); // the field, by its label
		// What an expression may give is a value, which workflows store.
		const unquoted = text.replace(/"[^"]*"|'[^']*'|expression that returns \w+ or \w+\.$/g, '');
		expect(unquoted).not.toMatch(/\b(errors?|problems?|failures?|failed|mistakes?)\b/i);
		expect(labelsOfTwoWords.filter((label) => unquoted.includes(label))).toEqual([]);
	}
});
