import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pinned } from '../host/paths';
import { version } from '../package.json';
import { pictureOf } from './picture';
import { docs, plot } from './plot';
import type { Measurement, Suite, Target, Workload } from './workload';

const resultsFile = path.join(__dirname, 'results.json');

export interface Result extends Measurement {
	/** Of the day, e.g. `2030-12-31`. */
	date: string;
	environment: Record<string, string>;
}

/** Last result of each workload, by its name: a workload can be measured again alone. */
type Results = Record<string, Result>;

/** @param more what else is to be known of the machine */
export function saveResult(
	{ database }: Partial<Pick<Suite, 'database'>>,
	name: string,
	measurement: Measurement,
	more: Record<string, string> = {},
): void {
	const results = {
		...loadResults(),
		[name]: { date: today(), environment: { ...environment(database), ...more }, ...measurement },
	};
	writeFileSync(resultsFile, `${JSON.stringify(results, null, '\t')}\n`);
}

/**
 * Writes the suite's page of the docs and its pictures from all results there are; nothing where
 * there are none.
 */
export async function writeReport(suite: Suite, folder = docs): Promise<void> {
	const { title, page, command, introduction, workloads } = suite;
	const results = loadResults();
	const measured = workloads.flatMap((workload) => {
		const result = results[workload.name];
		return result ? [{ ...workload, ...result }] : [];
	});
	if (measured.length === 0) return;
	const pictures = await draw(measured, folder);
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
			...(pictures.get(name) ?? []),
			[
				`Measured on ${date} with version ${environment.Package}; again with \`${command} -- --only ${name}\`.`,
				disturbance !== undefined &&
					`Other processes took at most ${(disturbance * 100).toFixed(0)} % of the CPUs meanwhile.`,
			]
				.filter(Boolean)
				.join(' '),
		]),
	];
	writeFileSync(path.join(folder, page), `${sections.join('\n\n')}\n`);
}

/** @returns Markdown that shows the pictures, by the names of what they are of */
async function draw(
	measured: Array<Pick<Workload, 'name' | 'title' | 'picture'> & Measurement>,
	folder: string,
): Promise<Map<string, string[]>> {
	const pictures = new Map<string, string[]>();
	for (const { name, title, picture, ...figures } of measured) {
		if (!picture) continue;
		const description = `${title}, drawn. The figures are in the table above.`;
		const spec = pictureOf(figures, picture);
		pictures.set(name, [await plot(`bench-${name}`, description, spec, folder)]);
	}
	return pictures;
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

export const loadResults = (): Results =>
	existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Results) : {};

/** In Markdown. */
export const table = (columns: string[], rows: string[][]): string =>
	[columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
