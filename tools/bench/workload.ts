import type { Setup } from './bench';

/** A part of the benchmark; `--only <name>` selects it. */
export interface Workload {
	name: string;
	/** Heading of its section on the page. */
	title: string;
	/** Says in Markdown what is measured, and how. */
	text: string;
	measure(setup: Setup): Promise<Measurement>;
}

/** Figures for the page. */
export interface Measurement {
	columns: string[];
	rows: string[][];
	targets: Target[];
}

/** A figure that should not exceed a limit. */
export interface Target {
	what: string;
	unit?: 'MB' | '%' | 'ms';
	limit: number;
	measured: number;
}
