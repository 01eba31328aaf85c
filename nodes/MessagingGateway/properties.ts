import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation, Resource } from './operation';

/** Entries of the collection 'Options' that every operation has. */
const commonOptions: INodeProperties[] = [
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		description:
			'How often a request is tried again when the service is busy or cannot be reached. A message that may have been sent is never sent again.',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 30000,
		description: 'How long to wait for an answer, in milliseconds',
	},
];

/** Those of an operation that takes many items. */
const itemsOptions: INodeProperties[] = [
	{
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		type: 'number',
		typeOptions: { minValue: 1 },
		noDataExpression: true,
		default: 10,
		description: 'How many requests may be under way at the same time',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		noDataExpression: true,
		default: 0,
		description:
			'How many requests may start per second, spread evenly over all executions with the same account. 0 means no limit.',
	},
];

/** What stands under the node on the canvas, e.g. `Message: Send SMS`. */
export function buildSubtitle(resources: Resource[]): string {
	return byOperation(resources, (resource, { name }) => `${resource.name}: ${name}`);
}

/** What the canvas says of an execution that waits in this node. */
export function buildWaitingTooltip(resources: Resource[]): string {
	return byOperation(resources, (_, { waits }) =>
		waits ? 'Execution will continue after the response of the recipient' : undefined,
	);
}

/** An expression that gives a text for the operation that is selected. */
function byOperation(
	resources: Resource[],
	textOf: (resource: Resource, operation: Operation) => string | undefined,
): string {
	const texts = resources.flatMap((resource) =>
		resource.operations.map((operation) => [
			`${resource.value}.${operation.value}`,
			textOf(resource, operation),
		]),
	);
	const byValues = JSON.stringify(Object.fromEntries(texts));
	return `={{ (${byValues})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

/** The node's form: dropdowns, and each operation's fields where that operation is selected. */
export function buildProperties(resources: Resource[], defaultResource: string): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: defaultResource,
		},
		...resources.map(operationDropdown),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => operationFields(resource, operation)),
		),
	];
}

function operationDropdown({
	value: resource,
	operations,
	defaultOperation,
}: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }): INodePropertyOptions => ({
			name,
			value,
			action,
			description,
		})),
		default: defaultOperation,
	};
}

function operationFields(resource: Resource, operation: Operation): INodeProperties[] {
	const selected = { resource: [resource.value], operation: [operation.value] };
	const options = [
		...(operation.options ?? []),
		...commonOptions,
		...(operation.waits ? [] : itemsOptions),
	].sort((a, b) => a.displayName.localeCompare(b.displayName));
	return [...operation.fields, { ...optionsCollection, options }].map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...selected, ...field.displayOptions?.show },
		},
	}));
}

const optionsCollection: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
};
