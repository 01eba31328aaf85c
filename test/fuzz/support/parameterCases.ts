/** Operations with any values in some of their fields. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { actionIds, audioFile, rowOf, to, type ActionId } from '../../../tools/shared/operations';
import type { ActionOptions } from '../../engine/action/support';
import { anyValue, quickNumber, type Value } from './values';

const { properties } = new MessagingGateway().description;

/** The names of an operation's fields; entries of collections e.g. as `options.dryRun`. */
const fieldsOf = (id: ActionId): string[] => {
	const { resource, operation } = rowOf(id);
	return properties
		.filter(
			({ type, displayOptions }) =>
				type !== 'notice' &&
				displayOptions?.show?.operation?.includes(operation) &&
				displayOptions.show.resource?.includes(resource),
		)
		.flatMap(({ type, name, options }) =>
			type === 'collection'
				? (options as INodeProperties[]).map((entry) => `${name}.${entry.name}`)
				: [name],
		);
};

/** Of the account, as entries of the collection that it is not. */
const rules = ['maxConcurrency', 'maxRetries', 'requestsPerSecond', 'timeout'].map(
	(name) => `rules.${name}`,
);

export interface ParameterCase {
	id: ActionId;
	itemCount: number;
	onError: 'continueRegularOutput' | 'stopWorkflow';
	fields: Record<string, Value>;
}

export const parameterCases: fc.Arbitrary<ParameterCase> = fc
	.constantFrom(...actionIds)
	.chain((id) =>
		fc.record({
			id: fc.constant(id),
			itemCount: fc.integer({ min: 1, max: 3 }),
			onError: fc.constantFrom(
				'continueRegularOutput' as const,
				'continueRegularOutput' as const,
				'stopWorkflow' as const,
			),
			fields: fc
				.shuffledSubarray([...fieldsOf(id), ...rules], { maxLength: 3 })
				.chain((fields) =>
					fc.record(
						Object.fromEntries(
							fields.map((field) => [
								field,
								field === 'limit' || rules.includes(field)
									? quickNumber(field === 'rules.maxRetries' ? 2 : Infinity)
									: anyValue,
							]),
						),
					),
				) as fc.Arbitrary<Record<string, Value>>,
		}),
	);

/** The options to run the node with. */
export function runOf({ itemCount, onError, fields }: ParameterCase): ActionOptions {
	const items = Array.from({ length: itemCount }, (_, index) => ({
		json: { to, ...valuesOf(fields, index) } as IDataObject,
		binary: audioFile,
	}));
	const { options, filters, rules, ...parameters } = parametersOf(fields);
	return {
		items,
		onError,
		parameters: { ...(filters && { filters }), ...parameters },
		options,
		rules,
	};
}

/** n8n does not start a node in which a required field is empty or invalid. */
export function refusedByN8n(error: Error): undefined {
	if (!/node has issues:/.test(error.message)) throw error;
}

/** A separate name for each field, since `to` is read by the operation's base values. */
const nameOf = (field: string) => `fuzzed ${field}`;

const valuesOf = (fields: Record<string, Value>, index: number): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([field, value]) =>
			value.kind === 'perItem' ? [[nameOf(field), value.values[index % value.values.length]]] : [],
		),
	);

function parametersOf(fields: Record<string, Value>): Record<string, INodeParameters> {
	const parameters: IDataObject = {};
	for (const [field, value] of Object.entries(fields)) {
		const entered =
			value.kind === 'perItem'
				? `={{ $json["${nameOf(field)}"] }}`
				: value.kind === 'expression'
					? `={{ ${value.text} }}`
					: value.value;
		const [name = '', entry] = field.split('.');
		if (entry)
			parameters[name] = { ...(parameters[name] as object), [entry]: entered } as IDataObject;
		else
			parameters[name] = (
				name === 'keyId' ? { __rl: true, mode: 'id', value: entered } : entered
			) as IDataObject;
	}
	return parameters as Record<string, INodeParameters>;
}
