import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { asProperties, optionsCollection, shownWhere, textBySelection } from '../form/build';
import {
	maxConcurrencyOption,
	maxRetriesOption,
	requestsPerSecondOption,
	timeoutOption,
} from '../form/fields/runOptions';
import type { Operation, Resource } from './operation';

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
	return textBySelection(['resource', 'operation'], Object.fromEntries(texts));
}

/** The node's form: dropdowns, and each operation's fields where that operation is selected. */
export function buildProperties(resources: Resource[], defaultResource: string): INodeProperties[] {
	return asProperties([
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
	]);
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
	const options = optionsCollection([
		...(operation.options ?? []),
		maxRetriesOption,
		timeoutOption,
		...(operation.waits ? [] : [maxConcurrencyOption, requestsPerSecondOption]),
	]);
	return [...operation.fields, options].map((field) => shownWhere(selected, field));
}
