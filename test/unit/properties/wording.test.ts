import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { actionIds, operationOf, rowOf } from '../../../tools/shared/operations';
import { flatten, namesInQuotes, nodeFields, nodeLabels } from '../support/wording';

const credentialFields = new MessagingGatewayApi().properties;
const triggerFields = [MessagingGatewayTrigger, MessagingGatewayStatusTrigger].flatMap((Node) =>
	flatten(new Node().description.properties),
);
const others = [...triggerFields, ...credentialFields];
const fields = [...nodeFields, ...others].filter(({ type }) => type !== 'notice');
const labels = [...nodeLabels, ...others.map(({ displayName }) => displayName)];
const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation, title: operation.action })),
);

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
		expect(placeholder).toMatch(/ollection$/.test(type) ? /^Add [A-Z]/ : /^e\.g\. \S/);
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
	const entries = (list: INodeProperties[]): INodeProperties[] =>
		list.flatMap((field) => [
			field,
			...entries(
				(
					(field.options ?? []) as unknown as Array<
						INodeProperties & { values?: INodeProperties[] }
					>
				)
					.flatMap((entry) => entry.values ?? [entry])
					.concat((field as { modes?: INodeProperties[] }).modes ?? []),
			),
		]);
	const texts = entries([...fields, ...credentialFields]).flatMap(({ description, hint }) => [
		[description ?? '', 120] as const,
		[hint ?? '', 90] as const,
	]);
	const ofOperations = operations.map(({ operation }) => [operation.description, 100] as const);
	for (const [text, limit] of [...texts, ...ofOperations]) {
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
