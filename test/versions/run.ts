/**
 * `npm run test:versions`: installs each n8n that this package is tested with, runs the tests of
 * jest.config.js in it, one n8n after the other, and writes the table in docs/compatibility.md;
 * `npm run test:versions -- --only 1.123` for one of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installHost } from '../../tools/host/install';
import { allInstallations, packageFolder, type NpmInstallation } from '../../tools/host/paths';
import { saveResult, writeTable, type Count } from './report';

/** What jest reports of each n8n; .ci/run counts it. */
const reports = path.join(packageFolder, '.cache', 'versions');

interface JestReport {
	testResults: Array<{ name: string; status: string; assertionResults: Array<{ status: string }> }>;
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
	const chosen = allInstallations().filter(({ version }) => version.startsWith(values.only));
	if (chosen.length === 0) throw new Error(`There is no n8n ${values.only} in tools/host/versions`);
	for (const n8n of chosen) {
		await installHost(n8n);
		console.log(`\n== n8n ${n8n.version}`);
		saveResult(n8n.version, new Date().toISOString().slice(0, 10), runTests(n8n));
	}
	writeTable();
}

/** @throws Error when jest could not run */
function runTests({ version, folder }: NpmInstallation): Array<[string, Count]> {
	const report = path.join(reports, `${version}.json`);
	rmSync(report, { force: true });
	mkdirSync(reports, { recursive: true });
	const config = path.join(__dirname, 'jest.config.js');
	const args = ['jest', '--config', config, '--json', `--outputFile=${report}`];
	const { status } = spawnSync('npx', args, {
		cwd: packageFolder,
		env: { ...process.env, N8N_FOLDER: folder },
		stdio: ['ignore', 'ignore', 'inherit'], // jest shows its progress on stderr
	});
	if (status !== 0) process.exitCode = 1;

	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
	return testResults.map(({ name, status: outcome, assertionResults }) => {
		const count = (wanted: string) =>
			assertionResults.filter((test) => test.status === wanted).length;
		// A file that could not be loaded has no tests, and has not passed either.
		const failed = count('failed') || Number(outcome === 'failed');
		return [path.relative(packageFolder, name), { passed: count('passed'), failed }];
	});
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
