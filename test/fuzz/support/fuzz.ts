/** How cases are made, counted and repeated. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Limiter } from '../../../nodes/gateway/pacing/limiter';
import { logs } from '../../engine/harness/instance';

/** As `npm run test:fuzz` was told; in `npm test` always the same few cases. */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const count = Number(process.env.FUZZ_COUNT ?? 150);

/** What no case may bring about. */
export type Kind = Exclude<keyof typeof figures, 'cases'>;

export class Finding extends Error {
	constructor(
		readonly kind: Kind,
		message: string,
	) {
		super(message);
	}
}

/** Of a test file; read by run.ts. */
const figures = {
	cases: 0,
	'raw crashes': 0,
	'forbidden requests': 0,
	'secrets shown': 0,
	'other findings': 0,
};

interface Options {
	/** Cases at a time, for those that wait a lot. Each has its own number. Default: 1. */
	lanes?: number;
	/** Part of the cases that were asked for. Default: 1. */
	share?: number;
	/** In MB: what may be kept of all cases. */
	mayKeep?: number;
	/** A case that takes longer stands still, however busy the machine is. */
	longestMs?: number;
}

/** Checks cases up to the first finding, which is shown with its seed and as small as it gets. */
export function fuzz<T>(
	name: string,
	cases: fc.Arbitrary<T>,
	check: (value: T, lane: number) => Promise<void>,
	{ lanes = 1, share = 1, mayKeep = 40, longestMs = 60_000 }: Options = {},
): void {
	const numRuns = Math.ceil((count * share) / lanes);
	/** The lane that has found something, and until when it may make it smaller. */
	let found: { lane: number; until: number } | undefined;
	const run = async (lane: number, runs: number) => {
		const property = fc.asyncProperty(cases, async (value) => {
			if (found && (found.lane !== lane || found.until < Date.now())) return;
			figures.cases++;
			Limiter.reset(); // what the service of another case asked for
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
			await run(0, Math.min(50, numRuns)); // what is loaded and kept once
			const before = heapInUse();
			await Promise.all(Array.from({ length: lanes }, async (_, lane) => await run(lane, numRuns)));
			expect((heapInUse() - before) / 2 ** 20).toBeLessThan(mayKeep);
		},
		Math.min((50 + numRuns * lanes) * longestMs, 2 ** 31 - 1),
	);
}

/** In bytes, without what is only waiting to be collected. */
function heapInUse(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}

afterAll(() => {
	const folder = process.env.FUZZ_REPORTS;
	if (!folder) return;
	const name = path.basename(expect.getState().testPath!, '.test.ts');
	writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(figures));
});
