import type { Setup } from './bench';

/** Workloads that share a page of the docs. */
export interface Suite {
	title: string;
	/** Its file in docs/. */
	page: string;
	/** What runs it. */
	command: string;
	/** What n8n keeps its data in. */
	database: string;
	/** How it is measured, what the workloads have in common. */
	introduction: string;
	workloads: Workload[];
}

/** Something that the benchmark measures; selected with `--only <name>`. */
export interface Workload {
	name: string;
	/** Of its section in the docs. */
	title: string;
	/** What is measured, and how. */
	text: string;
	/** Which of its figures are drawn; absent: none. */
	picture?: Picture;
	measure(setup: Setup): Promise<Measurement>;
}

/** Figures of a table as bars. */
export interface Picture {
	/** Those drawn, by their titles. */
	columns: string[];
	/** How many of the first columns say what a row is. Default: 1. */
	labels?: number;
	/** The columns are of one unit. */
	sameScale?: boolean;
	/** Whether a bar is made of the figures of a row, or of a column. Default: each is a bar. */
	stacked?: 'columns' | 'rows';
	/** Of stacked figures. */
	unit?: string;
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
