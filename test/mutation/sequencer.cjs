/** Runs test files in the order that the runner wants. */
const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const { mutation } = require('./environment.cjs');

const place = ({ path }) => mutation.order.indexOf(relative(process.cwd(), path));

module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((a, b) => place(a) - place(b));
	}
};
