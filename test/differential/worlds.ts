/** Copies of both packages, and what each of them does with a case. */
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import type fc from 'fast-check';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { packageFolder } from '../../tools/host/paths';
import type { NodeRun } from '../engine/harness';
import { logs } from '../engine/harness/instance';
import { register } from '../engine/harness/types';
import { prepare } from '../engine/harness/workflow';
import { Finding, fuzz } from '../fuzz/support/fuzz';

type Types = Array<INodeType | ICredentialType>;
export type Copy = 0 | 1;

/** The folder of a package, or of one of its copies, e.g. `reference/0`. */
export const folderOf = (name: string, ...rest: string[]) =>
	path.join(packageFolder, '.cache', 'differential', name, ...rest);

/** All types of a package, as n8n loads them. */
export async function load(copy: string): Promise<Types> {
	const text = readFileSync(folderOf(copy, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(text) as { n8n: Record<'credentials' | 'nodes', string[]> };
	return await Promise.all(
		[...n8n.nodes, ...n8n.credentials].map(async (file) => {
			const module = (await import(folderOf(copy, file))) as Record<string, new () => never>;
			return new module[path.basename(file).split('.')[0]!]!();
		}),
	);
}

/**
 * The steps of a case may run in two processes, i.e. two copies with separate memories. From the third
 * world on, one of them has the old package and the other the new one.
 */
const copies = [
	['reference/0', 'reference/1'],
	['present/0', 'present/1'],
	['reference/2', 'present/2'],
	['present/3', 'reference/3'],
] as const;
let worlds: Array<[Types, Types]>;
beforeAll(async () => {
	await prepare({}, 'internal'); // loads the sources, which the copies then replace
	worlds = await Promise.all(
		copies.map(async ([first, second]) => [await load(first), await load(second)]),
	);
});

export interface Play {
	/** Makes n8n use this copy from now on. */
	use: (copy: Copy) => void;
	/** Number of the case, to keep its accounts and workflows apart from those of others. */
	number: number;
}

/** How often a case is tried before a difference counts: clocks and sockets cause some. */
const tries = 5;

/** What was seen in all worlds, to prove that something was compared. */
const seen = { cases: 0, 'played again': 0, requests: 0, errors: 0, logs: 0 };
let plays = 0;

/**
 * @param play returns everything that can be observed of a case
 * @param worldCount 2 for cases of one step
 */
export function compare<T>(
	name: string,
	cases: fc.Arbitrary<T>,
	play: (value: T, play: Play) => Promise<{ requests: unknown[] } & object>,
	{ share, worldCount = 2 }: { share: number; worldCount?: number },
): void {
	const check = async (value: T) => {
		let difference: string | undefined;
		seen.cases++;
		for (let tried = 0; tried < tries; tried++) {
			const number = ++plays;
			const transcripts: string[] = [];
			for (const world of worlds.slice(0, worldCount)) {
				const use = (copy: Copy) => register(...world[copy]);
				transcripts.push(await transcriptOf(play, value, { use, number }));
			}
			const at = transcripts.findIndex((transcript) => transcript !== transcripts[0]);
			if (at === -1) return;
			difference = `${copies[at]!.join(', ')}: ${differenceOf(transcripts[0]!, transcripts[at]!)}`;
			seen['played again']++;
		}
		throw new Finding('other findings', difference!);
	};
	fuzz(name, cases, check, { share, mayKeep: Infinity, longestMs: 600_000 });
	afterEach(() => {
		if (!expect.getState().currentTestName!.startsWith(name)) return;
		console.log(name, { ...seen });
		expect([seen.cases, seen.requests]).not.toContain(0);
		for (const figure of Object.keys(seen)) seen[figure as keyof typeof seen] = 0;
	});
}

async function transcriptOf<T>(
	play: (value: T, play: Play) => Promise<{ requests: unknown[] } & object>,
	value: T,
	{ use, number }: Play,
): Promise<string> {
	const now = Date.UTC(2030, 0, 1) + number * 3_600_000;
	const real = jest.requireActual<typeof crypto>('node:crypto');
	let uuids = 0;
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(real, 'randomUUID').mockImplementation(() => `0-0-0-0-${++uuids}`);
	jest
		.spyOn(real, 'randomBytes')
		.mockImplementation(((length: number) => Buffer.alloc(length, 7)) as never);
	jest.useFakeTimers({ now, advanceTimers: 250, doNotFake: [...timers] });
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = 0; // n8n logs stack traces
	logs.length = 0;
	try {
		use(0);
		const result = await play(value, { use, number }).catch((error: Error) => ({
			requests: [],
			threw: errorOf(error),
		}));
		const text = show({ ...result, logs });
		seen.logs += logs.length;
		seen.requests += result.requests.length;
		if (/\b(error|threw): \{/.test(text)) seen.errors++;
		return text
			.replace(/\d+ (?=\*\/3 \* \* \* \*)/g, '<second> ')
			.replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?/g, (time) =>
				Math.abs(Date.parse(time) - now) < 60_000 ? '<now>' : time,
			);
	} finally {
		Error.stackTraceLimit = stackTraceLimit;
		jest.useRealTimers();
		jest.restoreAllMocks();
	}
}

/** All of Jest's fake timers but `Date`. */
const timers = [
	...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
	...(['clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/** What lies deeper is not compared. */
const deepest = 60;

/** With `--any-words`, a text of several words is one like any other. */
function withoutWords(value: unknown, depth = 0): unknown {
	if (depth === deepest) return '…';
	if (typeof value === 'string') return value.split(' ').length > 2 ? '<words>' : value;
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((each) => withoutWords(each, depth + 1));
	if (value instanceof Map) return withoutWords([...value], depth);
	const shown = value instanceof Error ? errorOf(value)! : value;
	return Object.fromEntries(
		Object.entries(shown).map(([name, each]) => [name, withoutWords(each, depth + 1)]),
	);
}

export const show = (value: unknown): string =>
	inspect(process.env.DIFFERENTIAL_ANY_WORDS ? withoutWords(value) : value, {
		depth: deepest,
		breakLength: 120,
		maxArrayLength: null,
		maxStringLength: null,
	});

/** Everything that people see of an error and that n8n stores. */
export function errorOf(error: Error | undefined): object | undefined {
	if (!error) return undefined;
	const { name, message, description, httpCode, context, level, functionality, messages } =
		error as Error & Record<string, unknown>;
	return { name, message, description, httpCode, context, level, functionality, messages };
}

/** Everything that is seen of a run, and what the next one reads of it. */
export const runOf = ({ outputs, error, status, waitTill, credentialReads, data }: NodeRun) => ({
	outputs,
	error: errorOf(error),
	status,
	waitTill,
	credentialReads,
	hints: Object.values(data.resultData.runData).flatMap((tasks) =>
		tasks.map((task) => (task as { hints?: unknown }).hints),
	),
	context: data.executionData?.contextData,
});

function differenceOf(expected: string, found: string): string {
	let at = 0;
	while (expected[at] === found[at]) at++;
	const around = (text: string) => text.slice(Math.max(0, at - 300), at + 300);
	return `\n--- reference\n${around(expected)}\n--- this\n${around(found)}\n`;
}
