import type { Point, Verdict } from './point';

export type Judged = Point & Verdict;

/** What of the points is printed: verdict, guideline, and below it why or where. */
export function describe({ guideline, link, verdict, because, missing }: Judged): string {
	const title = `${verdict.padEnd(width)}${guideline}`;
	const lines = [because, ...missing.map((line) => `- ${line}`), link];
	return [title, ...lines.filter(Boolean).map((line) => ' '.repeat(width) + line)].join('\n');
}

const width = 'not, on purpose'.length + 2;

/** E.g. `48 met, 2 not met` */
export function summarize(judged: Array<Pick<Judged, 'verdict'>>): string {
	const order = ['met', 'not met', 'not, on purpose', 'not applicable', 'for people'] as const;
	return order
		.map(
			(verdict) => [judged.filter((point) => point.verdict === verdict).length, verdict] as const,
		)
		.filter(([count]) => count > 0)
		.map(([count, verdict]) => `${count} ${verdict}`)
		.join(', ');
}

export const toDo = ({ guideline, missing }: Judged): string =>
	[`${guideline}:`, ...missing.map((line) => `- ${line}`)].join('\n');
