import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';

import { inProcess } from '../../../nodes/n8n/processState';
import { heapInUse } from '../../engine/harness/heap';
import { logs } from '../../engine/harness/instance';
/** How cases are generated, counted and repeated. */

/** From the arguments of `npm run test:fuzz`; without it, the same few cases each time. */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const count = Number(process.env.FUZZ_COUNT ?? 150);

/** What no case may cause. */
export type Kind = Exclude<keyof typeof figures, 'cases'>;

export class Finding extends Error {
	constructor(
		readonly kind: Kind,
		message: string,
	) {
		super(message);
	}
}

/** Counts of a test file; read by run.ts. */
const figures = {
	cases: 0,
	'raw crashes': 0,
	'forbidden requests': 0,
	'secrets shown': 0,
	'other findings': 0,
};

interface Options {
	/** Parallel lanes, for cases that wait a lot; each lane has its own number. Default: 1. */
	lanes?: number;
	/** Share of the requested cases to run. Default: 1. */
	share?: number;
	/** How much memory all cases together may keep, in MB. */
	mayKeep?: number;
	/** A case that takes longer, in ms, hangs: generous enough for a busy machine. */
	longestMs?: number;
}

/** Checks cases until the first finding, which is shown with its seed and shrunk. */
export function fuzz<T>(
	name: string,
	cases: fc.Arbitrary<T>,
	check: (value: T, lane: number) => Promise<void>,
	{ lanes = 1, share = 1, mayKeep = 40, longestMs = 60_000 }: Options = {},
): void {
	const numRuns = Math.ceil((count * share) / lanes);
	/** The lane that has found something, and until when it may shrink it. */
	let found: { lane: number; until: number } | undefined;
	const run = async (lane: number, runs: number) => {
		const property = fc.asyncProperty(cases, async (value) => {
			if (found && (found.lane !== lane || found.until < Date.now())) return;
			figures.cases++;
			inProcess.clear(); // pauses that the service asked for in another case
			try {
				await check(value, lane);
			} catch (error) {
				found ??= { lane, until: Date.now() + 20_000 };
				throw error;
			} finally {
				logs.length = 0;
			}
		});
		const settings = { seed: seed + lane, numRuns: runs, timeout: longestMs };
		const result = await fc.check(property, settings);
		if (!result.failed) return;
		figures[result.errorInstance instanceof Finding ? result.errorInstance.kind : 'raw crashes']++;
		const { message } = result.errorInstance as Error; // or that it took too long
		throw new Error(`${message}\n${fc.defaultReportMessage(result)}`);
	};
	test(
		name,
		async () => {
			await run(0, Math.min(50, numRuns)); // loads what stays in memory
			const before = heapInUse();
			await Promise.all(Array.from({ length: lanes }, async (_, lane) => await run(lane, numRuns)));
			expect((heapInUse() - before) / 2 ** 20).toBeLessThan(mayKeep);
		},
		Math.min((50 + numRuns * lanes) * longestMs, 2 ** 31 - 1),
	);
}

afterAll(() => {
	const folder = process.env.FUZZ_REPORTS;
	if (!folder) return;
	const name = path.basename(expect.getState().testPath!, '.test.ts');
	writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(figures));
});
