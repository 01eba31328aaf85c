/** The last results of each n8n, and the table of them in the README. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { table } from '../../bench/report';
import { allInstallations, packageFolder } from '../../host/paths';

export interface Result {
	/** Day of the run, e.g. `2030-12-31`. */
	date: string;
	/** Tests by file, e.g. `test/versions/stop.test.ts`. */
	files: Record<string, { passed: number; failed: number }>;
}

/** By n8n's version: one can be tried again alone. */
type Results = Record<string, Result>;

const resultsFile = path.join(__dirname, 'results.json');
const readme = path.join(packageFolder, 'README.md');
const [begin, end] = ['<!-- versions -->\n', '<!-- end of versions -->'];

/** A title, and the files whose tests are counted below it. */
const columns: Array<[title: string, files: RegExp]> = [
	['operations', /e2e\/(operations|credential)/],
	['error settings', /e2e\/errors/],
	['refused or unknown', /neverLeft/],
	['stop', /stop/],
	['trigger', /versions\/trigger/],
	['watch', /versions\/watch/],
	['status trigger', /e2e\/statusTrigger/],
	['questions', /versions\/sendAndWait/],
	['engine', /engine/],
];

export function saveResult(version: string, result: Result): void {
	const results = { ...readResults(), [version]: result };
	writeFileSync(resultsFile, `${JSON.stringify(results, null, '\t')}\n`);
}

/** Writes the table of all n8n that there are results of, newest first. */
export function writeTable(): void {
	const results = readResults();
	const rows = allInstallations()
		.reverse()
		.flatMap(({ version }) => (results[version] ? [describe(version, results[version])] : []));
	const titles = ['n8n', ...columns.map(([title]) => title), 'tried on'];
	const [before = '', rest = ''] = readFileSync(readme, 'utf8').split(begin);
	const [, after = ''] = rest.split(end);
	writeFileSync(readme, [before, begin, table(titles, rows), '\n', end, after].join(''));
}

function readResults(): Results {
	return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}

function describe(version: string, { date, files }: Result): string[] {
	const counts = columns.map(([, pattern]) => {
		const counted = Object.entries(files).filter(([file]) => pattern.test(file));
		if (counted.length === 0) return 'not run';
		const sum = (key: 'passed' | 'failed') =>
			counted.reduce((total, [, tests]) => total + tests[key], 0);
		const failed = sum('failed');
		return failed > 0 ? `**${failed} failed**, ${sum('passed')} passed` : `${sum('passed')} passed`;
	});
	return [version, ...counts, date];
}
