/** What has to be true of every run of the action node. */
import { inspect } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Sandbox } from '../../../tools/sandbox';
import type { NodeRun } from '../../engine/harness';
import { logs } from '../../engine/harness/instance';
import { Finding } from './fuzz';

/** Texts of JavaScript's own errors, stringified objects, and stack traces. */
const raw =
	/Cannot (read|set|convert|destructure|mix|create|define|assign|delete)|access '|is not a (function|constructor)|is not (iterable|defined)|(undefined|null) is not|\[object |(Type|Range|Reference|Syntax|URI)Error|Maximum call stack|circular structure|serialize a BigInt|URI malformed|Invalid (time value|array length|string length)|Unexpected (token|end of)|in JSON at|\n\s+at /;

function checkTexts(...texts: unknown[]): void {
	for (const text of texts) {
		if (typeof text !== 'string') throw new Finding('raw crashes', `No text: ${inspect(text)}`);
		if (raw.test(text)) throw new Finding('raw crashes', `Raw: ${text.slice(0, 500)}`);
	}
}

/** The output of a failed item. */
export interface ItemError {
	message: string;
	hint: string;
	outcome: 'refused' | 'unknown';
	item: number;
	/** Not of reads, nor where nobody knows it. */
	to?: string;
	httpCode?: string;
	/** The service's own text, or the entries of `detail`. */
	answer?: unknown;
}

/** What became of each input item: its outputs, or its error. */
export type Ends = Array<{ outputs: IDataObject[]; error?: ItemError }>;

/** An `error` in an answer of the service is never an object with an `outcome`. */
const isError = ({ json }: INodeExecutionData): boolean =>
	typeof json.error === 'object' && json.error !== null && 'outcome' in json.error;

/**
 * Every item of a run that continues has outputs or one error of exactly the documented shape.
 *
 * @param mayBeEmpty whether an item may succeed without any output
 */
export function endsOf(run: NodeRun, itemCount: number, mayBeEmpty = false): Ends {
	if (run.error || run.status !== 'success') {
		throw new Finding('raw crashes', `The node threw: ${inspect(run.error, { depth: 4 })}`);
	}
	const ends: Ends = Array.from({ length: itemCount }, () => ({ outputs: [] }));
	for (const item of run.outputs.flat()) {
		const end = ends[(item.pairedItem as { item: number } | undefined)?.item ?? -1];
		if (!end) throw new Finding('other findings', `Of no input item: ${inspect(item)}`);
		if (isError(item)) end.error = checkError(item);
		else end.outputs.push(item.json);
	}
	for (const [index, { outputs, error }] of ends.entries()) {
		const count = outputs.length + (error ? 1 : 0);
		if (count === 0 && !mayBeEmpty) throw new Finding('other findings', `Nothing of item ${index}`);
		if (error && count > 1)
			throw new Finding('other findings', `Output and error of item ${index}`);
	}
	return ends;
}

function checkError({ json, pairedItem }: INodeExecutionData): ItemError {
	const error = json.error as unknown as ItemError;
	const { message, hint, outcome, httpCode, answer, item, to, ...others } = error;
	checkTexts(message, hint);
	const isExact =
		message !== '' &&
		['refused', 'unknown'].includes(outcome) &&
		(httpCode === undefined ? !('httpCode' in error) : /^\d{3}$/.test(httpCode)) &&
		item === (pairedItem as { item: number }).item &&
		(answer === undefined || typeof answer === 'string' || Array.isArray(answer)) &&
		(to === undefined ? !('to' in error) : to !== '') &&
		Object.keys(others).length === 0;
	if (!isExact) throw new Finding('other findings', `Error of another shape: ${inspect(json)}`);
	return error;
}

/** The error of a run that stops is one of n8n's, and names an item. */
export function checkStop({ error }: NodeRun): void {
	if (!error) return;
	checkTexts(error.message, error.description ?? '');
	const isOwn = ['NodeOperationError', 'NodeApiError'].includes(error.name);
	const isOfItem = Number.isInteger((error as { context?: IDataObject }).context?.itemIndex);
	if (!isOwn || !isOfItem) {
		throw new Finding('raw crashes', inspect(error, { depth: 4 }));
	}
}

/** A secret as it may be written: plain, in JSON, in a URL. */
const spellings = (secret: string): string[] => [
	secret,
	JSON.stringify(secret).slice(1, -1),
	encodeURIComponent(secret),
];

/** Neither the output of a run nor the log contains a secret. */
export function checkSecrets(secrets: string[], ...shown: unknown[]): void {
	const text = [...logs, ...shown.map(asText)].join('\n');
	for (const spelling of secrets.flatMap(spellings)) {
		const at = text.indexOf(spelling);
		if (at !== -1) throw new Finding('secrets shown', text.slice(Math.max(0, at - 300), at + 300));
	}
}

export const secretsOf = ({ credential }: Sandbox): string[] => [
	credential.apiKey,
	credential.instanceToken,
];

export const shownOf = ({ error, outputs }: NodeRun): unknown[] => [
	outputs,
	error && [error.message, error.description, error.stack, { ...error, node: undefined }],
];

function asText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return inspect(value, { depth: 100 });
	}
}
