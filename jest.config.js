const project = (name, options = {}) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	modulePathIgnorePatterns: ['<rootDir>/.cache/'], // copies of this package, for mutation testing
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	...options,
});

/** Loads libraries, n8n's core among them, once for all test files of a process: half the time. */
const sharingLibraries = {
	runtime: '<rootDir>/test/runtime.cjs',
	testEnvironment: '<rootDir>/test/environment.cjs',
	setupFilesAfterEnv: ['<rootDir>/test/afterEach.cjs'],
};

/** One n8n for all test files. */
const inN8n = {
	globalSetup: '<rootDir>/test/e2e/setup.ts',
	globalTeardown: '<rootDir>/test/e2e/teardown.ts',
	setupFilesAfterEnv: ['<rootDir>/test/e2e/timeLimit.ts'],
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		project('unit', sharingLibraries),
		project('engine', sharingLibraries),
		project('simulation', sharingLibraries),
		project('release'),
		project('e2e', inN8n),
		// What takes long by its nature, which `npm test` leaves out.
		project('fuzz'),
		project('nightly', inN8n),
	],
	testSequencer: '<rootDir>/test/sequencer.cjs',
	testTimeout: 60_000, // ms; generous, since a busy machine is no reason to give up
	workerIdleMemoryLimit: '1GB', // a worker that has more begins anew
	workerGracefulExitTimeout: 30_000, // ms; to free that much takes longer than jest's 500 on a busy machine
	collectCoverageFrom: [
		'nodes/**/*.ts',
		'credentials/**/*.ts',
		'!**/*.d.ts',
		'!nodes/service/interface.ts',
	],
	coverageThreshold: { global: { lines: 95, branches: 95 } },
};
