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
