/** jest's own runner of a test file, which loads no further one once a test has failed. */
const { createEmptyTestResult } = require('@jest/test-result');
const { default: circus } = require('jest-circus/runner');
const { mutation } = require('./environment.cjs');

module.exports = async (...args) =>
	mutation.failed ? createEmptyTestResult() : await circus(...args);
