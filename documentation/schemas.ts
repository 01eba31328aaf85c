/**
 * The files `__schema__` beside the node: from them the editor says 'Usually outputs the following
 * fields' before the node has run. n8n finds them by version, resource and operation alone, so there
 * is one for each operation: what comes out with the form as it is at first.
 */
import type { OperationRun } from './recordings';

/** The part of JSON Schema that n8n's editor reads. */
export type Schema =
	| { type: 'string' | 'number' | 'integer' | 'boolean' | 'null' }
	| { type: 'array'; items: Schema | Record<string, never> }
	| { type: 'object'; properties: Record<string, Schema> };

/** Of the node, as n8n names it: with three numbers. */
const version = 'v1.0.0';

export const folder = 'nodes/MessagingGateway/__schema__';

/** @param runs the first one of an operation is its usual one */
export function schemaFiles(runs: OperationRun[]): Map<string, string> {
	const usual = new Map(
		runs
			.toReversed()
			.map((run) => [`${folder}/${version}/${run.resource}/${run.operation}.json`, run]),
	);
	return new Map(
		[...usual].map(([file, { output }]) => [
			file,
			`${JSON.stringify({ ...schemaOf(output[0], ''), version: 1 }, null, '\t')}\n`,
		]),
	);
}

/** @param name of the field; `answer` is whatever the service gives where its interface shows nothing */
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
