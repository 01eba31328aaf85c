import type { NodeHint, INodeProperties } from 'n8n-workflow';

import { optionsCollection } from '../form/option';
import { textBySelection, asProperties, shownWhere } from '../n8n/properties';
import type { Resource, Operation } from '../send/operation';

/**
 * Returns what n8n shows below the node on the canvas, e.g. `Message: Send SMS`; with `(dry run)` behind
 * it, so that nobody publishes a workflow that sends nothing. An expression in 'Dry Run' decides for each item.
 */
export function buildSubtitle(resources: Resource[]): string {
	const texts = resources.flatMap((resource) =>
		resource.operations.map(({ name, value }) => [
			`${resource.value}.${value}`,
			`${resource.name}: ${name}`,
		]),
	);
	const subtitle = textBySelection(['resource', 'operation'], Object.fromEntries(texts));
	return `${subtitle}{{ $parameter.options?.dryRun === true ? " (dry run)" : "" }}`;
}

export function buildHints(resources: Resource[]): NodeHint[] {
	const sends = resources.flatMap((resource) =>
		resource.operations
			.filter(({ dryRun, waits }) => dryRun && !waits)
			.map(({ value }) => `${resource.value}.${value}`),
	);
	const isSend = `${JSON.stringify(sends)}.includes($parameter.resource + "." + $parameter.operation)`;
	return [
		{
			message:
				'This sends a message for each input item. Add <em>Dry Run</em> in the options to see first what would be sent.',
			type: 'info',
			location: 'inputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ ${isSend} && !$parameter.options?.dryRun && $input.all().length > 1 }}`,
		},
	];
}

/** Returns the node's form: two dropdowns, and the fields of the selected operation. */
export function buildProperties(resources: Resource[]): INodeProperties[] {
	const defaultResource = resources[0]!.value;
	return asProperties([
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value, description }) => ({ name, value, description })),
			default: defaultResource,
		},
		...resources.map(operationDropdown),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => operationFields(resource, operation)),
		),
	]);
}

const operationDropdown = ({ value, operations, defaultOperation }: Resource): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [value] } },
	options: operations.map(({ name, value: of, action, description }) => ({
		name,
		value: of,
		action,
		description,
	})),
	default: defaultOperation,
});

function operationFields(resource: Resource, operation: Operation): INodeProperties[] {
	const selected = { resource: [resource.value], operation: [operation.value] };
	const { fields, options = [] } = operation;
	const collections = options.length > 0 ? [optionsCollection(options)] : [];
	return [...fields, ...collections].map((field) => shownWhere(selected, field));
}
