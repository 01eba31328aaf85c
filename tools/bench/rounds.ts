/**
 * Measures contenders in turns, in another order each round: other load on the machine affects all alike.
 *
 * @param rounds an odd number @returns the figures of each contender, one per round
 */
export async function inRounds<Name extends string>(
	names: readonly Name[],
	rounds: number,
	measure: (name: Name, round: number) => Promise<number>,
): Promise<Record<Name, number[]>> {
	const figures = {} as Record<Name, number[]>;
	for (let round = 0; round < rounds; round++) {
		for (let turn = 0; turn < names.length; turn++) {
			const name = names[(turn + round) % names.length] as Name;
			const figure = await measure(name, round);
			(figures[name] ??= []).push(figure);
			console.log(`  round ${round + 1}/${rounds}  ${name.padEnd(32)}  ${figure.toFixed(1)}`);
		}
	}
	return figures;
}

export const median = (figures: number[]): number =>
	[...figures].sort((a, b) => a - b)[figures.length >> 1] ?? NaN;

/** Median of the ratios of each round, whose figures were measured one after the other. */
export const medianRatio = (figures: number[], others: number[]): number =>
	median(figures.map((figure, round) => figure / (others[round] ?? NaN)));

/** E.g. `1.40 (1.38–1.55)`: median, smallest and largest. */
export function spread(figures: number[], digits: number): string {
	const format = (figure: number) => figure.toFixed(digits);
	const [low, high] = [Math.min(...figures), Math.max(...figures)].map(format);
	return low === high ? format(median(figures)) : `${format(median(figures))} (${low}–${high})`;
}

const inSeconds = (ms: number) => ms / 1000;

/** Returns the spread of times in ms, in seconds. */
export const spreadInSeconds = (times: number[]): string => spread(times.map(inSeconds), 2);
