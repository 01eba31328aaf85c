/**
 * Which test files run first: jest knows how long each took only where it has run before, and a gate
 * runs on a new machine. What waits longest for n8n comes first, so that no process waits for it alone
 * at the end.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = ['trigger.lifecycle', 'examples', 'queueMode', 'editor', 'restarts', 'examplesByClock'];

const place = ({ path }) => {
	const index = longest.findIndex((name) => path.endsWith(`/e2e/${name}.test.ts`));
	if (index >= 0) return index;
	return longest.length + (path.includes('/e2e/') ? 0 : 1);
};

module.exports = class extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => place(a) - place(b));
	}
};
