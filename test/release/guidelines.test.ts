/** What n8n asks of texts and forms and no linter holds: docs/guidelines.md has all of it. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayStatusTrigger } from '../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { flatten } from '../unit/support/wording';
import { read } from './files';

const action = new MessagingGateway().description;
const triggers = [new MessagingGatewayTrigger(), new MessagingGatewayStatusTrigger()].map(
	({ description }) => description,
);
const fields = [action, ...triggers, new MessagingGatewayApi()].flatMap(({ properties }) =>
	flatten(properties),
);
const choicesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
const labelled = fields.filter(({ type }) => type !== 'notice' && type !== 'hidden');
const operations = fields.filter(({ name }) => name === 'operation').flatMap(choicesOf);

/** Descriptions and hints of fields and of what can be chosen. */
const texts = labelled
	.flatMap((field) => [
		field.description,
		field.hint,
		...choicesOf(field).map((each) => each.description),
	])
	.filter((text): text is string => Boolean(text));
const actions = operations.map(({ action: text }) => text!);

const not = (pattern: RegExp) => (text: string) => !pattern.test(text);

test('labels and choices are in title case', () => {
	const isTitle = (label: string) =>
		label
			.split(/[\s/-]+/)
			.every(
				(word, index) =>
					/^\W*[A-Z0-9]/.test(word) ||
					word === 'n8n' ||
					(index > 0 && /^(a|an|and|as|at|by|for|from|if|in|is|of|on|or|per|the|to)$/.test(word)),
			);
	const labels = labelled.flatMap((field) => [
		field.displayName,
		...choicesOf(field).map(({ name }) => name),
	]);
	expect(labels.filter((label) => !isTitle(label))).toEqual([]);
});

test('actions, descriptions and hints begin with a capital and are no titles', () => {
	const isSentence = (text: string) => {
		const names = /<[^>]*>|'[^']*'|\b(Base64|Data Tables?|Remove Duplicates)\b/g;
		const [first = '', ...words] = text
			.replace(names, '')
			.split(/[.:!?]\s+/)[0]!
			.trim()
			.split(/\s+/);
		return (
			!/^[a-z]+$/.test(first) && words.filter(not(/^[^A-Z]|^[A-Z]+$/)).length <= words.length / 2
		);
	};
	expect([...actions, ...texts].filter((text) => !isSentence(text))).toEqual([]);
});

test('no jargon', () => {
	const jargon = /\b(payload|endpoint|boolean|stringified|enum|regex|binary (data|property))\b/i;
	expect(texts.filter((text) => jargon.test(text))).toEqual([]);
});

test('an action has no article, and one of n8n’s verbs', () => {
	expect(actions.filter((text) => /\b(a|an|the)\b/i.test(text))).toEqual([]);
	const others = /^(List|Get All|Read|Fetch|Retrieve|Find|Add|Edit|Change|Remove|Upsert)\b/;
	expect(operations.filter(({ name }) => others.test(name))).toEqual([]);
});

test('several sentences end with a full stop, a single one without', () => {
	const hasSeveral = (text: string) =>
		/[^.][.?!] +['<(]*[A-Z0-9_]/.test(text.replace(/\b(e\.g|i\.e)\./g, ''));
	expect(texts.filter((text) => text.endsWith('.') !== hasSeveral(text))).toEqual([]);
});

test('names of fields stand in single quotes', () => {
	const names = labelled
		.map(({ displayName }) => displayName)
		.filter((name) => / [A-Z]/.test(name));
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
	for (const { displayName, name } of flatten(action.properties)) {
		byLabel.set(displayName, (byLabel.get(displayName) ?? new Set()).add(name));
	}
	const several = [...byLabel].filter(([, names]) => names.size > 1).map(([label]) => label);
	expect(several.filter((label) => !/<b>/.test(label))).toEqual([]);
});

test('secrets are password fields', () => {
	const secrets = new MessagingGatewayApi().properties.filter(({ name }) =>
		/(key|token|secret|password)$/i.test(name),
	);
	expect(new Set(secrets.map(({ name }) => name))).toEqual(new Set(['apiKey', 'instanceToken']));
	for (const { typeOptions } of secrets) expect(typeOptions?.password).toBe(true);
});

test('nodes are named as n8n names them, and ask first for what they are about', () => {
	expect(action.properties.slice(0, 2).map(({ displayName }) => displayName)).toEqual([
		'Resource',
		'Operation',
	]);
	for (const { displayName } of triggers) expect(displayName).toMatch(/ Trigger$/);
	const byName = (name: string) =>
		fields.filter((field) => field.name === name).map(({ displayName }) => displayName);
	expect(byName('event')).toEqual(['Trigger On']);
	expect(new Set(byName('binaryPropertyName'))).toEqual(new Set(['Input Data Field Name']));
});

const labelsOfTwoWords = flatten(action.properties)
	.map(({ displayName }) => displayName)
	.filter((name) => name.includes(' '));

test('an error says how to go on, and has none of the words that n8n does without', () => {
	const snapshot = read('test/unit/operations/__snapshots__/refusals.test.ts.snap');
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
