const { projects } = require('../../jest.config');

/** A separate configuration, since it needs two builds: see run.ts. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'fuzz'),
	displayName: 'differential',
	rootDir: '../..',
	testMatch: ['<rootDir>/test/differential/**/*.test.ts'],
};
