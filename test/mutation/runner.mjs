/**
 * Stryker's test runner for this project. Stryker's own gives every mutant to every test file that
 * could load it. This one runs only the tests that reach a mutant, the quickest file first, until one
 * fails: most mutants are found within a second.
 */
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
	determineHitLimitReached,
	DryRunStatus,
	MutantRunStatus,
	TestStatus,
} from '@stryker-mutator/api/test-runner';
import { runCLI } from 'jest';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import environment from './environment.cjs';
import { patienceMs } from './patience.mjs';

const { fileOf, idOf, mutation } = environment;
const { projects } = createRequire(import.meta.url)('../../jest.config.js');
const [unit, engine] = projects;
const both = { testMatch: [...unit.testMatch, ...engine.testMatch] };

/** How long tests take, from the first run, which one worker does for all: ms by id. */
const durationsFile = 'durations.json';

/** Which test files have found mutants, from all workers: source and test file per line. */
const findersFile = 'finders.tsv';

class CoveringTestsRunner {
	capabilities() {
		return { reloadEnvironment: true }; // jest loads everything anew for each test file
	}

	/** Runs every test once, and notes which mutants it reaches. */
	async dryRun({ files }) {
		mutation.newInstrument = () => ({});
		const unitTests = await run(unit, files, { findRelatedTests: true });
		const engineTests = await run(engine, []); // the engine loads the package by its files' names
		const testResults = [...unitTests, ...engineTests];
		const broken = testResults.find(hasFailed); // those after it were not loaded
		if (broken) {
			const { testFilePath, failureMessage } = broken;
			return { status: DryRunStatus.Error, errorMessage: `${testFilePath}: ${failureMessage}` };
		}
		const tests = testResults.flatMap(testsOf);
		const durations = tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]);
		await writeFile(durationsFile, JSON.stringify(durations));
		return { status: DryRunStatus.Complete, tests, mutantCoverage: coverageOf(testResults) };
	}

	async mutantRun({ activeMutant, testFilter, sandboxFileName, hitLimit }) {
		this.durations ??= new Map(JSON.parse(await readFile(durationsFile, 'utf8')));
		const instrument = { activeMutant: activeMutant.id, hitCount: 0, hitLimit };
		mutation.newInstrument = () => instrument;
		mutation.timeLimits = new Map(testFilter.map((id) => [id, this.timeLimit(id)]));
		try {
			const testFiles = await this.likeliestFirst(testFilter, sandboxFileName);
			const { failed, failedFile, nrOfTests } = await runUntilFailure(testFiles);
			const endless = determineHitLimitReached(instrument.hitCount, hitLimit);
			if (endless) return { ...endless, status: MutantRunStatus.Timeout };
			if (!failed) return { status: MutantRunStatus.Survived, nrOfTests };
			await appendFile(findersFile, `${sandboxFileName}\t${failedFile}\n`);
			const killedBy = [failed.id ?? testFilter.find((id) => fileOf(id) === failedFile)];
			const { failureMessage } = failed;
			return { status: MutantRunStatus.Killed, killedBy, failureMessage, nrOfTests };
		} finally {
			instrument.hitLimit = 0; // what still runs ends at its next step
		}
	}

	/** What waits for ever waits twice as long as this: a slow moment of the machine is no find. */
	timeLimit(id) {
		return 3_000 + 5 * this.durations.get(id);
	}

	/**
	 * The tests that found most mutants of that file, or of its folder, per second that they take. Where
	 * some are known, the others have a quarter of the patience, but the file's namesake always runs.
	 * Before one is known: unit tests first, the namesake before all.
	 */
	async likeliestFirst(ids, source) {
		const found = await findersOf(source);
		const time = new Map();
		for (const id of ids) {
			time.set(fileOf(id), (time.get(fileOf(id)) ?? 0) + this.durations.get(id));
		}
		const isNamesake = (file) => basename(file, '.test.ts') === basename(source, '.ts');
		const order = (file) => [
			!found.has(file) && !isNamesake(file),
			!found.has(file) && isEngine(file),
			time.get(file) / (1 + (found.get(file) ?? 0)),
		];
		const left = { likely: patienceMs, unlikely: found.size ? patienceMs / 4 : patienceMs };
		return [...time.keys()]
			.sort((a, b) => compare(order(a), order(b)))
			.filter((file, index) => {
				const kind = found.has(file) ? 'likely' : 'unlikely';
				left[kind] -= time.get(file);
				return left[kind] > 0 || index === 0 || isNamesake(file);
			});
	}
}

const isEngine = (testFile) => testFile.startsWith('test/engine/');

/** As `sort` wants it, of lists of figures: the first that differs decides. */
const compare = (a, b) => a.map((value, index) => value - b[index]).find(Boolean) ?? 0;

/** How many mutants of this file each test file has found; those of the same folder count a tenth. */
async function findersOf(file) {
	const rows = (await readFile(findersFile, 'utf8').catch(() => '')).trimEnd().split('\n');
	const found = new Map();
	for (const [source, testFile] of rows.map((row) => row.split('\t'))) {
		const weight = source === file ? 1 : Number(dirname(source) === dirname(file)) / 10;
		if (weight) found.set(testFile, (found.get(testFile) ?? 0) + weight);
	}
	return found;
}

/** Runs the chosen tests up to the first that fails; a file that was late has a second try. */
async function runUntilFailure(testFiles) {
	let nrOfTests = 0;
	for (let [rest, late] = [testFiles, undefined]; ;) {
		mutation.failed = false;
		mutation.order = rest;
		const results = await run(both, rest, { runTestsByPath: true });
		nrOfTests += results.reduce((sum, { numPassingTests }) => sum + numPassingTests, 0);
		const result = results.find(hasFailed);
		if (!result) return { nrOfTests };
		const failedFile = relative(process.cwd(), result.testFilePath);
		const failed = result.testExecError
			? { failureMessage: result.testExecError.message }
			: testsOf(result).find(({ status }) => status === TestStatus.Failed);
		const mayBeLate = failed.failureMessage?.includes('Exceeded timeout of');
		if (!mayBeLate || failedFile === late) return { failed, failedFile, nrOfTests: nrOfTests + 1 };
		late = failedFile;
		rest = rest.slice(rest.indexOf(failedFile));
	}
}

const hasFailed = ({ testExecError, numFailingTests }) => testExecError || numFailingTests;

/** Runs test files one after the other, in this process. */
async function run({ testMatch }, files, options) {
	const config = {
		...unit,
		testMatch,
		displayName: undefined,
		rootDir: process.cwd(),
		runtime: beside('runtime.cjs'),
		testEnvironment: beside('environment.cjs'),
		testRunner: beside('untilFailure.cjs'),
		reporters: [],
		testTimeout: 120_000,
	};
	const testSequencer = beside('sequencer.cjs');
	const argv = {
		$0: 'stryker',
		_: files,
		runInBand: true,
		silent: true,
		testSequencer,
		...options,
	};
	const { results } = await runCLI({ ...argv, config: JSON.stringify(config) }, [process.cwd()]);
	return results.testResults;
}

const beside = (file) => fileURLToPath(new URL(file, import.meta.url));

const statuses = { passed: TestStatus.Success, failed: TestStatus.Failed };

/** jest's results of a file as Stryker's; the time that its modules take to load is shared out. */
function testsOf({ testFilePath, testResults, perfStats }) {
	const total = testResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
	const loading = Math.max(0, perfStats.runtime - total) / testResults.length;
	return testResults.map(({ fullName, status, duration, failureMessages }) => ({
		id: idOf(testFilePath, fullName),
		name: fullName,
		fileName: testFilePath,
		timeSpentMs: (duration ?? 0) + loading,
		status: statuses[status] ?? TestStatus.Skipped,
		failureMessage: failureMessages[0],
	}));
}

/**
 * What each test reaches. What is reached while a file loads is reached by each of its tests: so
 * Stryker has no 'static' mutants, for each of which it would run all tests there are.
 */
function coverageOf(testResults) {
	const perTest = {};
	for (const { testFilePath, testResults: tests } of testResults) {
		const reached = mutation.instruments.get(testFilePath).mutantCoverage;
		for (const { fullName } of tests) {
			const id = idOf(testFilePath, fullName);
			perTest[id] = { ...reached?.static, ...reached?.perTest[id] };
		}
	}
	return { static: {}, perTest };
}

export const strykerPlugins = [
	declareClassPlugin(PluginKind.TestRunner, 'covering-tests', CoveringTestsRunner),
];
