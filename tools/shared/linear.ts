/**
 * How much of the processor's time linear work on a value of 1 MB may take, in ms, on any machine. Quadratic
 * work takes minutes. How long n8n's thread is really kept, `npx tsx tools/bench/thread.ts` measures.
 */
const longestMs = 3_000;

/** Does some work, which may throw. @returns whether it took no more time than linear work may take */
export async function isLinear(work: () => unknown): Promise<boolean> {
	const before = process.cpuUsage();
	try {
		await work();
	} catch {
		// A refusal is as good.
	}
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000 <= longestMs;
}

/** 1 MB of what failed expressions leave in a text, each another one, as a stranger may send it. */
export const manyTraces = Array.from({ length: 58_000 }, (_, at) => `[object a${at}]`).join('');
