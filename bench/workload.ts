import type { Setup } from './bench';

/** Something that the benchmark measures; selected with `--only <name>`. */
export interface Workload {
	name: string;
	/** Of its section in the docs. */
	title: string;
	/** What is measured, and how. */
	text: string;
	measure(setup: Setup): Promise<Measurement>;
}

/** Figures, ready to be shown. */
export interface Measurement {
	columns: string[];
	rows: string[][];
	targets: Target[];
	/** Largest share of the CPUs that other processes took in a run that counts; times only. */
	disturbance?: number;
}

/** A figure that is to stay at or below a limit. */
export interface Target {
	what: string;
	unit: '' | 'MB' | '%' | 'ms';
	limit: number;
	measured: number;
}
