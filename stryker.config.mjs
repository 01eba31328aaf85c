import { patienceMs } from './test/mutation/patience.mjs';

/**
 * `npm run test:mutation`: breaks the code in about 7,700 small ways and looks whether a test
 * notices. A part: `npm run test:mutation -- --mutate 'nodes/gateway/**\/*.ts'`; what was tried before is
 * tried again only where the code or its tests have changed. Report in coverage/mutation/.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: ['nodes/**/*.ts', 'credentials/**/*.ts', '!nodes/gateway/interface.ts'],
	plugins: ['./test/mutation/runner.mjs', './test/mutation/reporter.mjs'],
	testRunner: 'covering-tests',
	coverageAnalysis: 'perTest',
	concurrency: 2,
	dryRunTimeoutMinutes: 60, // all tests once, in one process
	timeoutMS: 60_000 + 5 * patienceMs, // for what blocks its thread; the runner has shorter limits
	timeoutFactor: 0, // a mutant is not given all the tests that reach it
	maxTestRunnerReuse: 40, // what mutants leave behind must not pile up
	disableTypeChecks: false,
	incremental: true,
	incrementalFile: 'coverage/mutation/incremental.json',
	reporters: ['progress-append-only', 'json', 'folders'],
	jsonReporter: { fileName: 'coverage/mutation/mutation.json' },
	thresholds: { high: 95, low: 95, break: 95 },
	tempDirName: '.cache/stryker',
	ignorePatterns: ['/.cache', '/tools/bench', '/dist'],
};
