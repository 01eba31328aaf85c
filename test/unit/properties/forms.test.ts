/** Names, values and defaults of the forms. Workflows store them: they never change after the first release. */
import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { node } from '../../../tools/shared/context';
import { rowOf, sends } from '../../../tools/shared/operations';

/** `options.match.conditions.field: string = ""`, one line for each field; `to*` is required. */
function linesOf(property: INodeProperties, path = ''): string[] {
	const { name, type, default: value, options = [], required } = property;
	if (type === 'notice') return [];
	const place = `${path}${name}`;
	const inside = (entries: unknown, of: string) =>
		(entries as INodeProperties[]).flatMap((entry) => linesOf(entry, `${of}.`));
	const values = (options as INodePropertyOptions[]).map((each) => each.value).join(' | ');
	const shown = /options$/i.test(type) ? values : type;
	return [
		`${place}${required ? '*' : ''}: ${shown} = ${JSON.stringify(value)}`,
		...(type === 'collection' ? inside(options, place) : []),
		...(type === 'fixedCollection'
			? (options as INodePropertyCollection[]).flatMap((group) =>
					inside(group.values, `${place}.${group.name}`),
				)
			: []),
	];
}

test.each<[string, INodeProperties[]]>([
	['trigger', new MessagingGatewayTrigger().description.properties],
	['status trigger', new MessagingGatewayStatusTrigger().description.properties],
	['credential', new MessagingGatewayApi().properties],
])('what a workflow stores of the %s', (_, properties) => {
	expect(properties.flatMap((property) => linesOf(property))).toMatchSnapshot();
});

const { description } = new MessagingGateway();

/** The fields that n8n shows for these parameters, the two dropdowns and notices left out. */
function visible(parameters: INodeParameters): INodeProperties[] {
	const filled = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	)!;
	return description.properties.filter(
		(field) =>
			!['resource', 'operation'].includes(field.name) &&
			field.type !== 'notice' &&
			NodeHelpers.displayParameter(filled, field, node, description),
	);
}

const operations = resources.flatMap(({ value: resource, operations: own }) =>
	own.map(({ value: operation }) => ({ resource, operation })),
);

/** Entries of 'Options', by the line that says the same of each operation. */
const optionsOf = (fields: INodeProperties[]) =>
	(fields.find(({ name }) => name === 'options')?.options ?? []) as INodeProperties[];

test('what a workflow stores of the resources and operations', () => {
	const dropdowns = description.properties.filter(({ name }) =>
		['resource', 'operation'].includes(name),
	);
	expect(dropdowns.flatMap((dropdown) => linesOf(dropdown))).toMatchSnapshot();
});

test.each(operations)('what a workflow stores of $resource $operation', (parameters) => {
	const fields = visible(parameters);
	expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
	const own = fields.filter(({ name }) => name !== 'options');
	const options = optionsOf(fields).map(({ name }) => name);
	// A newcomer sees seven or eight names at once. All count, also those that only show with another field.
	expect(options.length > (options.includes('dryRun') ? 8 : 2) ? options : []).toEqual([]);
	expect([
		...own.flatMap((field) => linesOf(field)),
		`options: ${options.join(' ')}`,
	]).toMatchSnapshot();
});

// n8n does not store defaults: a workflow made with one of them gets another if it changes.
test('the default of every field of the action node', () => {
	const all = description.properties.flatMap((field) => linesOf(field));
	expect([...new Set(all)].sort()).toMatchSnapshot();
});

test.each<[INodeParameters, boolean]>([
	[{ enable: true }, true],
	[{ enable: false }, false],
	[{ enable: '={{ $json.on }}' }, false], // known for each item alone
])('with %j, one URL is shown, and whether it is needed is %s', (parameters, required) => {
	const shown = visible({ resource: 'webhook', operation: 'set', url: '', ...parameters });
	expect(shown.map(({ name }) => name)).toEqual(['url', 'enable']);
	expect(shown[0]!.required ?? false).toBe(required);
});

test('the buttons of an approval are named where none is listed', () => {
	const question = { resource: 'message', operation: 'sendAndWait', responseType: 'approval' };
	const { placeholder, description } = visible(question).find(
		({ name }) => name === 'approvalOptions',
	)!;
	for (const text of [placeholder, description]) expect(text).toMatch(/Approve and Decline/);
	expect(description).toMatch(/^If empty, /);
});

test.each<[INodeParameters, string[], string[]]>([
	[
		{ operation: 'sendMedia', mediaSource: 'binary' },
		['binaryPropertyName*: string = "data"'],
		['mediaUrl'],
	],
	[
		{ operation: 'sendAndWait', responseType: 'choice' },
		['choices: fixedCollection = {}', 'choices.values.label: string = ""'],
		['approvalOptions'],
	],
	[{ operation: 'sendAndWait', responseType: 'freeText' }, [], ['choices', 'approvalOptions']],
	[{ operation: 'getStatus', findBy: 'to' }, ['to*: string = ""'], ['messageId']],
	[{ operation: 'getAll', returnAll: true }, [], ['limit']],
])('with %j, %j is shown and %j is not', (parameters, shown, hidden) => {
	const resource = parameters.operation === 'getAll' ? 'apiKey' : 'message';
	const lines = visible({ resource, ...parameters }).flatMap((field) => linesOf(field));
	expect(lines).toEqual(expect.arrayContaining(shown));
	expect(lines.filter((line) => hidden.some((name) => line.startsWith(name)))).toEqual([]);
});

test("an AI agent's tool that sends asks for a key, and nothing else does", () => {
	const notice = description.properties.filter(({ name }) => name === 'toolNotice');
	const shownIn = (name: string) =>
		operations
			.filter((parameters) =>
				notice.some((field) =>
					NodeHelpers.displayParameter(parameters, field, node, { ...description, name }),
				),
			)
			.map(({ operation }) => operation);
	expect(shownIn('messagingGatewayTool').sort()).toEqual(
		sends.map((id) => rowOf(id).operation).sort(),
	);
	expect(shownIn('messagingGateway')).toEqual([]);
});

test.each([MessagingGateway, MessagingGatewayTrigger, MessagingGatewayStatusTrigger])(
	'what tests the credential of %p is there',
	(Node) => {
		const { description: of, methods } = new Node();
		const testers = (of.credentials ?? []).map(({ testedBy }) => testedBy);
		expect(testers).toEqual(Object.keys(methods.credentialTest));
		expect(Object.values(methods.credentialTest)).toEqual([expect.any(Function)]);
	},
);
