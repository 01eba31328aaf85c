/**
 * What really happened, as tests saw it: the operations in the real n8n, the events in its engine,
 * both against the sandbox. The tests compare; UPDATE_DOCS=1 lets them write instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RecordedRequest } from '../sandbox';

/** A request to the service, and what it answered. */
export interface Exchange {
	method: string;
	path: string;
	query: Record<string, string>;
	/** Those that the interface names; secrets masked. */
	headers: Record<string, string>;
	/** Null: none. */
	body: unknown;
	answer: { status: number | null; body: unknown };
}

/** One run of an operation with one item. The first one of an operation is its usual one. */
export interface OperationRun {
	resource: string;
	operation: string;
	/** The item that came in. */
	input: IDataObject;
	/** As they stand in the form. */
	parameters: INodeParameters;
	exchange: Exchange;
	/** The items that came out. */
	output: IDataObject[];
}

/** One look of the status trigger that found a change. */
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

const fileOf = (name: keyof Recordings) => path.join(__dirname, 'recorded', `${name}.json`);

export const readRecording = <Name extends keyof Recordings>(name: Name): Recordings[Name] =>
	JSON.parse(readFileSync(fileOf(name), 'utf8')) as Recordings[Name];

export const writeRecording = <Name extends keyof Recordings>(
	name: Name,
	runs: Recordings[Name],
): void => writeFileSync(fileOf(name), `${JSON.stringify(runs, null, '\t')}\n`);

const secrets = ['x-api-key', 'x-instance-token'];

/** What is kept of a request that the sandbox has recorded, its answer included. */
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

/** Ids that the sandbox makes up; those that it begins with are the same each time. */
const uuid = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g;
const isFixed = (id: string) => id.includes('-4000-8000-');

/** The same runs with what differs from one time to the next made the same: ids, times, links. */
export function asEachTime<Runs>(runs: Runs): Runs {
	const ids: string[] = [];
	const text = JSON.stringify(runs)
		.replaceAll(uuid, (id) => {
			if (isFixed(id)) return id;
			if (!ids.includes(id)) ids.push(id);
			return `7d2e8f0b-58d4-4c6b-9a51-${String(ids.indexOf(id) + 1).padStart(12, '0')}`;
		})
		.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2030-12-31T12:00:00.000Z')
		.replaceAll(
			/https?:\/\/[^/\s"]+\/webhook-waiting\/[^?"]+\?ask=0&signature=[\da-f]+/g,
			'https://n8n.example.com/webhook-waiting/…?ask=0&signature=…',
		);
	return JSON.parse(text) as Runs;
}
