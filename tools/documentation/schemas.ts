/**
 * The files in `__schema__`, from which the editor shows 'Usually outputs the following fields' before
 * a node has run. n8n finds them by version, resource and operation alone, so each operation has one,
 * for the output with the form's defaults.
 */
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import type { OperationRun } from './recordings';

/** The part of JSON Schema that n8n's editor reads. */
export type Schema =
	| { type: 'string' | 'number' | 'integer' | 'boolean' | 'null' }
	| { type: 'array'; items: Schema | Record<string, never> }
	| { type: 'object'; properties: Record<string, Schema> };

/** A node's newest version as n8n writes it: `1.1`. */
export const newestOf = ({ version }: { version: number | number[] }): string =>
	Math.max(...[version].flat()).toFixed(1);

const newest = newestOf(new MessagingGateway().description);

/** Of the version with which the runs were recorded. Those of earlier versions stay as they are. */
export const folder = `nodes/MessagingGateway/__schema__/v${newest}.0`;

/** @param runs the first of an operation is the usual one */
export function schemaFiles(runs: OperationRun[]): Map<string, string> {
	return new Map(
		runs
			.toReversed()
			.map(({ resource, operation, output }) => [
				`${folder}/${resource}/${operation}.json`,
				`${JSON.stringify({ ...schemaOf(output[0], ''), version: 1 }, null, '\t')}\n`,
			]),
	);
}

/** @param name of the field; `answer` has no schema, since the interface does not show it */
function schemaOf(value: unknown, name: string): Schema {
	if (value === null) return { type: 'null' };
	if (Array.isArray(value)) {
		return { type: 'array', items: value.length > 0 ? schemaOf(value[0], '') : {} };
	}
	if (typeof value === 'object') {
		const entries = name === 'answer' ? [] : Object.entries(value as object);
		return {
			type: 'object',
			properties: Object.fromEntries(entries.map(([key, each]) => [key, schemaOf(each, key)])),
		};
	}
	if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
	return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}
