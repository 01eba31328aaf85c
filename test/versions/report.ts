/** The last results of each n8n, and the table of them in docs/compatibility.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { figuresTable } from '../../tools/bench/report';
import { allInstallations, packageFolder } from '../../tools/host/paths';

export interface Result {
	/** Day of the run, e.g. `2030-12-31`. */
	date: string;
	/** What the table says, by the title of its column, e.g. `38 passed`. */
	tests: Record<string, string>;
}

export interface Count {
	passed: number;
	failed: number;
}

/** By n8n's version: one can be tried again alone. */
type Results = Record<string, Result>;

const resultsFile = path.join(__dirname, 'results.json');
const page = path.join(packageFolder, 'docs', 'compatibility.md');
const [begin, end] = ['<!-- versions -->\n', '<!-- end of versions -->'];

/** A title, and the files whose tests are counted below it. */
const columns: Array<[title: string, files: RegExp]> = [
	['operations', /e2e\/(operations|credential)/],
	['refused or unknown', /neverLeft/],
	['stop', /engine\/action\/cancel/],
	['files', /e2e\/fileLinks/],
	['trigger', /e2e\/trigger/],
	['watch', /versions\/watch/],
	['status trigger', /e2e\/statusTrigger/],
	['questions', /e2e\/sendAndWait/],
	['engine', /engine\/(?!action\/cancel)/],
];

/** @param files tests by file, e.g. `test/versions/watch.test.ts` */
export function saveResult(version: string, date: string, files: Array<[string, Count]>): void {
	const tests = columns.flatMap(([title, pattern]) => {
		const counted = files.filter(([file]) => pattern.test(file)).map(([, count]) => count);
		const sum = (key: keyof Count) => counted.reduce((total, count) => total + count[key], 0);
		const failures = sum('failed') > 0 ? `**${sum('failed')} failed**, ` : '';
		return counted.length > 0 ? [[title, `${failures}${sum('passed')} passed`]] : [];
	});
	const results = { ...readResults(), [version]: { date, tests: Object.fromEntries(tests) } };
	writeFileSync(resultsFile, `${JSON.stringify(results, null, '\t')}\n`);
}

/** Writes the table of all n8n that there are results of, newest first. */
export function writeTable(): void {
	const results = readResults();
	const rows = allInstallations()
		.reverse()
		.flatMap(({ version }) => {
			const { date, tests } = results[version] ?? {};
			if (!date) return [];
			return [[version, ...columns.map(([title]) => tests?.[title] ?? 'not run'), date]];
		});
	const titles = ['n8n', ...columns.map(([title]) => title), 'tried on'];
	const [before = '', rest = ''] = readFileSync(page, 'utf8').split(begin);
	const [, after = ''] = rest.split(end);
	writeFileSync(page, [before, begin, figuresTable(titles, rows), '\n', end, after].join(''));
}

function readResults(): Results {
	return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}
