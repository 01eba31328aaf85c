const { projects, testTimeout } = require('../../jest.config');

/** Not one of the projects of `npm test`: run.ts runs it once for each n8n, `npm run test:versions`. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'e2e'),
	displayName: 'versions',
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/versions/*.test.ts',
		'<rootDir>/test/e2e/{credential,errors,operations}.test.ts',
	],
	globalSetup: '<rootDir>/test/versions/setup.ts',
	testTimeout,
};
