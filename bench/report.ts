import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pinned } from '../host/paths';
import { version } from '../package.json';
import type { Measurement, Target } from './workload';
import { workloads } from './workloads';

const command = 'npm run bench';
const measurements = path.join(__dirname, '../docs/measurements');
const resultsFile = path.join(__dirname, 'results.json');

interface Result extends Measurement {
	/** Of the day, e.g. `2030-12-31`. */
	date: string;
	environment: Record<string, string>;
}

/** Last result of each workload, by its name: a workload can be measured again alone. */
type Results = Record<string, Result>;

export function saveResult(name: string, measurement: Measurement): void {
	const results = {
		...loadResults(),
		[name]: { date: today(), environment: environment(), ...measurement },
	};
	writeFileSync(resultsFile, `${JSON.stringify(results, null, '\t')}\n`);
}

/** Writes the page from all results there are. */
export function writeReport(folder = measurements): void {
	const results = loadResults();
	const measured = workloads.flatMap((workload) => {
		const result = results[workload.name];
		return result ? [{ ...workload, ...result }] : [];
	});
	const newest = [...measured].sort((a, b) => b.date.localeCompare(a.date))[0];
	const sections = [
		'# Benchmarks',
		introduction,
		table(
			['', ''],
			Object.entries(newest?.environment ?? {}).filter(([name]) => name !== 'Package'),
		),
		'## Targets',
		table(
			['what', 'target', 'measured', 'met'],
			measured.flatMap(({ targets }) => targets.map(targetRow)),
		),
		...measured.flatMap(({ title, text, columns, rows, date, name, disturbance, environment }) => [
			`## ${title}`,
			text,
			table(columns, rows),
			[
				`Measured on ${date} with version ${environment.Package}; again with \`${command} -- --only ${name}\`.`,
				disturbance !== undefined &&
					`Other processes took at most ${(disturbance * 100).toFixed(0)} % of the CPUs meanwhile.`,
			]
				.filter(Boolean)
				.join(' '),
		]),
	];
	writeFileSync(path.join(folder, 'benchmarks.md'), `${sections.join('\n\n')}\n`);
}

const introduction = `
Written by \`${command}\`, after \`npm run build\`. A real n8n, the sandbox in a process of its own, and
the same messages sent in several ways:

| | |
|---|---|
| this package | Message: Send SMS, default options |
| HTTP Request node | with the same credential, default options: all items at once |
| declarative node | the same operation as a declarative node, [bench/nodes](../../bench/nodes) |
| one at a time | the same operation as a plain loop |
| floor | n8n's own request helper, ten at a time, credential read once; nothing is checked, ordered, retried or explained |

The ways take turns in one n8n and change their order each round; the first runs, in which code is
compiled, do not count. The time is the node's own, as n8n's execution data has it. n8n saves execution
data as it does by default. After each run the sandbox's ledger is checked: each message accepted once.
`.trim();

/** E.g. `2030-12-31`. */
const today = (): string => new Date().toISOString().slice(0, 10);

export const targetRow = ({ what, unit, limit, measured }: Target): string[] => {
	const format = (figure: number) => {
		if (unit !== '') return `${figure.toFixed(unit === '%' ? 1 : 0)} ${unit}`;
		return Number.isInteger(figure) ? String(figure) : figure.toFixed(2);
	};
	return [what, `≤ ${format(limit)}`, format(measured), measured <= limit ? 'yes' : '**no**'];
};

const environment = (): Result['environment'] => ({
	CPU: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores`,
	Memory: `${Math.round(os.totalmem() / 1024 ** 3)} GB`,
	System: `${os.type()} ${os.release()}`,
	n8n: `${pinned.version}, on Node.js ${execFileSync(pinned.nodeBinary, ['--version']).toString().trim()}, SQLite`,
	Sandbox: `Node.js ${process.version}`,
	Package: `${version}, commit ${commit()}`,
});

function commit(): string {
	const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: __dirname });
	return stdout?.toString().trim() || 'unknown';
}

const loadResults = (): Results =>
	existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Results) : {};

/** In Markdown. */
export const table = (columns: string[], rows: string[][]): string =>
	[columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
