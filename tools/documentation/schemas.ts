/**
 * The files in `__schema__`, from which the editor shows 'Usually outputs the following fields' before
 * a node has run. n8n finds them by version, resource and operation alone, so each operation has one,
 * for the output with the form's defaults.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../host/paths';
import type { OperationRun } from './recordings';

/** The part of JSON Schema that n8n's editor reads. */
export type Schema =
	| { type: 'string' | 'number' | 'integer' | 'boolean' | 'null' }
	| { type: 'array'; items: Schema | Record<string, never> }
	| { type: 'object'; properties: Record<string, Schema> };

const nodeFolder = 'nodes/MessagingGateway';

// Not from the class: the loader takes the JSON file for a module of the same name.
const { nodeVersion } = JSON.parse(
	readFileSync(path.join(packageFolder, nodeFolder, 'MessagingGateway.node.json'), 'utf8'),
) as { nodeVersion: string };

/** The folder of the version with which the runs were recorded. Those of earlier versions stay as they are. */
export const schemaFolder = `${nodeFolder}/__schema__/v${nodeVersion}.0`;

/** @param runs the first of an operation is the usual one */
export function schemaFiles(runs: OperationRun[]): Map<string, string> {
	return new Map(
		runs
			.toReversed()
			.map(({ resource, operation, output }) => [
				`${schemaFolder}/${resource}/${operation}.json`,
				`${JSON.stringify({ ...valueSchemaOf(output[0], ''), version: 1 }, null, '\t')}\n`,
			]),
	);
}

/** @param name of the field; `answer` has no schema, since the interface does not show it */
function valueSchemaOf(value: unknown, name: string): Schema {
	if (value === null) return { type: 'null' };
	if (Array.isArray(value)) {
		return { type: 'array', items: value.length > 0 ? valueSchemaOf(value[0], '') : {} };
	}
	if (typeof value === 'object') {
		const entries = name === 'answer' ? [] : Object.entries(value as object);
		return {
			type: 'object',
			properties: Object.fromEntries(entries.map(([key, each]) => [key, valueSchemaOf(each, key)])),
		};
	}
	if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
	return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}
