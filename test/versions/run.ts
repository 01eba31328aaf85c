/**
 * `npm run test:versions`: installs each n8n that this package is tested with, runs the tests of
 * jest.config.js in it, one n8n after the other, and writes the table in the README.
 *
 *   npm run test:versions -- --only 1.123    one of them
 *   npm run test:versions -- --no-table      leaves the README as it is
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installHost } from '../../host/install';
import { allInstallations, packageFolder, type Installation } from '../../host/paths';
import { saveResult, writeTable, type Result } from './report';

/** jest's own reports, which .ci/run counts. */
const reports = path.join(packageFolder, '.cache', 'versions');

async function main(): Promise<void> {
	const { values } = parseArgs({
		allowNegative: true,
		options: {
			only: { type: 'string', default: '' },
			table: { type: 'boolean', default: true },
		},
	});
	const chosen = allInstallations().filter(({ version }) => version.startsWith(values.only));
	if (chosen.length === 0) throw new Error(`No n8n ${values.only} in host/versions`);

	mkdirSync(reports, { recursive: true });
	for (const n8n of chosen) {
		await installHost(n8n);
		console.log(`\n== n8n ${n8n.version}`);
		const result = runTests(n8n);
		if (values.table) saveResult(n8n.version, result);
	}
	if (values.table) writeTable();
}

/** @throws Error when the tests could not be run at all */
function runTests({ version, folder }: Installation): Result {
	const report = path.join(reports, `${version}.json`);
	const config = path.join(__dirname, 'jest.config.js');
	const { status } = spawnSync(
		'npx',
		['jest', '--config', config, '--json', `--outputFile=${report}`, '--verbose'],
		{
			cwd: packageFolder,
			env: { ...process.env, N8N_FOLDER: folder },
			stdio: ['ignore', 'ignore', 'inherit'],
		},
	);
	if (status !== 0) process.exitCode = 1;
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
	const files = testResults.map(({ name, assertionResults }) => {
		const count = (wanted: string) =>
			assertionResults.filter(({ status: each }) => each === wanted).length;
		const tests = { passed: count('passed'), failed: count('failed') };
		return [path.relative(packageFolder, name), tests] as const;
	});
	return { date: new Date().toISOString().slice(0, 10), files: Object.fromEntries(files) };
}

interface JestReport {
	testResults: Array<{ name: string; assertionResults: Array<{ status: string }> }>;
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
