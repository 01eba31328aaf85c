import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pinned } from '../host/paths';
import { version } from '../package.json';
import type { Measurement, Suite, Target } from './workload';

const resultsFile = path.join(__dirname, 'results.json');
const docs = path.join(__dirname, '..', 'docs');

interface Result extends Measurement {
	/** Of the day, e.g. `2030-12-31`. */
	date: string;
	environment: Record<string, string>;
}

/** Last result of each workload, by its name: a workload can be measured again alone. */
type Results = Record<string, Result>;

export function saveResult(suite: Suite, name: string, measurement: Measurement): void {
	const results = {
		...loadResults(),
		[name]: { date: today(), environment: environment(suite.database), ...measurement },
	};
	writeFileSync(resultsFile, `${JSON.stringify(results, null, '\t')}\n`);
}

/** Writes the suite's page of the docs from all results there are. */
export function writeReport({ title, page, command, introduction, workloads }: Suite): void {
	const results = loadResults();
	const measured = workloads.flatMap((workload) => {
		const result = results[workload.name];
		return result ? [{ ...workload, ...result }] : [];
	});
	const newest = [...measured].sort((a, b) => b.date.localeCompare(a.date))[0];
	const sections = [
		`# ${title}`,
		`Written by \`${command}\`, after \`npm run build\`. ${introduction}`,
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
	writeFileSync(path.join(docs, page), `${sections.join('\n\n')}\n`);
}

/** E.g. `2030-12-31`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

export const targetRow = ({ what, unit, limit, measured }: Target): string[] => {
	const format = (figure: number) => {
		if (unit !== '') return `${figure.toFixed(unit === '%' ? 1 : 0)} ${unit}`;
		return Number.isInteger(figure) ? String(figure) : figure.toFixed(2);
	};
	return [what, `≤ ${format(limit)}`, format(measured), measured <= limit ? 'yes' : '**no**'];
};

export const environment = (database = 'SQLite'): Result['environment'] => ({
	CPU: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores`,
	Memory: `${Math.round(os.totalmem() / 1024 ** 3)} GB`,
	System: `${os.type()} ${os.release()}`,
	n8n: `${pinned.version}, on Node.js ${execFileSync(pinned.nodeBinary, ['--version']).toString().trim()}, ${database}`,
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
