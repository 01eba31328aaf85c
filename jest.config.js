const project = (name, options = {}) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	modulePathIgnorePatterns: ['<rootDir>/.cache/'], // copies of this package, for mutation testing
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	...options,
});

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		project('unit'),
		project('engine'),
		project('fuzz'),
		project('release'),
		project('e2e', {
			globalSetup: '<rootDir>/test/e2e/setup.ts',
			globalTeardown: '<rootDir>/test/e2e/teardown.ts',
		}),
	],
	testTimeout: 600_000, // ms; a busy machine is no reason to give up
	collectCoverageFrom: [
		'nodes/**/*.ts',
		'credentials/**/*.ts',
		'!**/*.d.ts',
		'!nodes/shared/interface.ts',
	],
	coverageThreshold: { global: { lines: 95, branches: 95 } },
};
