/** The shortest and the longest pause, in ms. */
export interface Pause {
	minMs: number;
	maxMs: number;
}

/** The longest pause, in seconds. A longer one was meant in another unit. */
const longestPauseSeconds = 3600;

/** Reads a pause. @param entered seconds: `2`, or a range `1-3` @returns undefined if it is neither */
export function parsePause(entered: string): Pause | undefined {
	const range = /^(\d+(?:\.\d+)?)(?:\s*[-–]\s*(\d+(?:\.\d+)?))?$/;
	const [, min, max = min] = range.exec(entered.replaceAll(',', '.')) ?? [];
	const pause = { minMs: 1000 * Number(min), maxMs: 1000 * Number(max) };
	return pause.minMs <= pause.maxMs && pause.maxMs <= 1000 * longestPauseSeconds
		? pause
		: undefined;
}
