import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { projects } = createRequire(import.meta.url)('./jest.config.js');
const [{ displayName, ...unit }] = projects;

/** Where the tests are; those of `test/unit` that do not use the file that is broken are left out. */
const { TESTS: tests = 'test/unit' } = process.env;

/**
 * `npm run test:mutation -- --mutate 'nodes/service/judge/**'` breaks a folder in many small ways and
 * looks whether a test notices. `TESTS=test/engine/trigger` names the tests of a folder whose level of
 * proof is another, see CONTRIBUTING.md. Report in coverage/mutation/.
 */
export default {
	mutate: ['nodes/**/*.ts', 'credentials/**/*.ts', '!nodes/service/interface.ts'],
	plugins: ['@stryker-mutator/jest-runner'],
	testRunner: 'jest',
	jest: {
		configFile: 'package.json', // has none: all of it is here
		config: {
			...unit,
			testMatch: [`<rootDir>/${tests}/**/*.test.ts`],
			// Not of Stryker's copy of this folder: Stryker would load the one from here, and the other from there.
			runtime: fileURLToPath(new URL('test/runtime.cjs', import.meta.url)),
			testEnvironment: fileURLToPath(new URL('test/environment.cjs', import.meta.url)),
			testTimeout: 120_000,
		},
		enableFindRelatedTests: tests === 'test/unit',
	},
	coverageAnalysis: 'perTest',
	ignoreStatic: true, // what is read while a file is loaded, mostly the forms: all tests, each time
	concurrency: 2,
	dryRunTimeoutMinutes: 60, // all tests once, in one process
	timeoutMS: 60_000,
	maxTestRunnerReuse: 40, // what mutants leave behind must not pile up
	disableTypeChecks: false,
	reporters: ['progress-append-only', 'clear-text', 'json'],
	jsonReporter: { fileName: 'coverage/mutation/mutation.json' },
	tempDirName: '.cache/stryker',
	ignorePatterns: ['/.cache', '/tools/bench', '/dist'],
};
