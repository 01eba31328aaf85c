/**
 * Which test files run first: jest knows how long each took only where it has run before, and a gate
 * runs on a new machine. What takes longest comes first, so that no process works at it alone at the
 * end. The rest goes by jest's own order, in which those that wait for n8n are among those that do not.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = [
	...['queueMode', 'statusTrigger', 'editor', 'sendAndWait'],
	...['sendAndWaitPage', 'trigger.deliveries', 'sandboxPage', 'mcp'],
];

const place = ({ path }) => {
	const index = longest.findIndex((name) => path.endsWith(`/e2e/${name}.test.ts`));
	return index < 0 ? longest.length : index;
};

module.exports = class extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => place(a) - place(b));
	}
};
