/**
 * Runs recorded by tests: operations in the real n8n, events in its engine, both with the sandbox. The
 * tests compare; with UPDATE_DOCS=1 they write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RecordedRequest } from '../sandbox';

/** A request to the service, and the answer. */
export interface Exchange {
	method: string;
	path: string;
	query: Record<string, string>;
	/** The documented ones; secrets masked. */
	headers: Record<string, string>;
	/** Null for none. */
	body: unknown;
	answer: { status: number | null; body: unknown };
}

/** One run of an operation with one item. The first of an operation is the usual one. */
export interface OperationRun {
	resource: string;
	operation: string;
	input: IDataObject;
	/** The parameters as in the form. */
	parameters: INodeParameters;
	exchange: Exchange;
	output: IDataObject[];
}

/** One poll of the status trigger that found a change. */
export interface EventRun {
	event: string;
	parameters: INodeParameters;
	exchanges: Exchange[];
	output: IDataObject[];
}

export interface Recordings {
	operations: OperationRun[];
	events: EventRun[];
}

const recordingFileOf = (name: keyof Recordings) =>
	path.join(__dirname, 'recorded', `${name}.json`);

export const readRecording = <Name extends keyof Recordings>(name: Name): Recordings[Name] =>
	JSON.parse(readFileSync(recordingFileOf(name), 'utf8')) as Recordings[Name];

export const writeRecording = <Name extends keyof Recordings>(
	name: Name,
	runs: Recordings[Name],
): void => writeFileSync(recordingFileOf(name), `${JSON.stringify(runs, null, '\t')}\n`);

const secrets = ['x-api-key', 'x-instance-token'];

/** The exchange in a request that the sandbox has recorded. */
export function exchangeOf(request: RecordedRequest): Exchange {
	const { method, query, headers, body, status, answer } = request;
	return {
		method,
		path: request.path,
		query: query as Record<string, string>,
		headers: Object.fromEntries(
			[...secrets, 'content-type']
				.filter((name) => name in headers)
				.map((name) => [name, secrets.includes(name) ? '•••' : String(headers[name])]),
		),
		body: body ?? null,
		answer: { status, body: answer ?? null },
	};
}

/** Ids that the sandbox generates; those of its seed data never change. */
const uuid = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g;
const isFixed = (id: string) => id.includes('-4000-8000-');

/** The runs with fixed ids, times and links in place of those that differ each time. */
export function asEachTime<Runs>(runs: Runs): Runs {
	const ids: string[] = [];
	const text = JSON.stringify(runs)
		.replaceAll(uuid, (id) => {
			if (isFixed(id)) return id;
			if (!ids.includes(id)) ids.push(id);
			return `7d2e8f0b-58d4-4c6b-9a51-${String(ids.indexOf(id) + 1).padStart(12, '0')}`;
		})
		.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2030-12-31T12:00:00.000Z')
		.replaceAll(/(?<="sentAt":")[^"]+/g, '2030-12-31T07:00:00-05:00')
		.replaceAll(
			/https?:\/\/[^/\s"]+\/webhook-waiting\/[^?"]+\?ask=0&signature=[\da-f]+/g,
			'https://n8n.example.com/webhook-waiting/…?ask=0&signature=…',
		)
		.replaceAll(
			/https?:\/\/[^/\s"]+(\/rest\/binary-data\/signed\?token=)[\w.-]+/g,
			'https://n8n.example.com$1…',
		);
	return JSON.parse(text) as Runs;
}
