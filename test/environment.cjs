/** The world of a test file that shares its libraries with others. */
const { TestEnvironment } = require('jest-environment-node');
const { loadedLibrary } = require('./runtime.cjs');

/** What jest keeps for a test file: its tests, who is told of them, and the limit they set. */
const isOfOneFile = (symbol) =>
	[undefined, 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].includes(Symbol.keyFor(symbol));

/** One for all test files of a process, since the libraries that they share live in it. */
let shared;

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		if (!shared) {
			super(config, context);
			shared = this;
			this.exitListeners = this.global.process.listeners('exit');
		}
		shared.begin();
		return Object.create(shared); // what is added to it, such as by Stryker, is the file's own
	}

	begin() {
		for (const symbol of Object.getOwnPropertySymbols(this.global)) {
			if (isOfOneFile(symbol)) delete this.global[symbol];
		}
		Object.assign(this.global.process.env, process.env); // Stryker names the mutant there
		// What n8n makes once for each process, and each test file for itself.
		loadedLibrary('@n8n/di')?.Container.reset();
		for (const listener of this.global.process.listeners('exit')) {
			if (!this.exitListeners.includes(listener)) this.global.process.off('exit', listener);
		}
		const n8nCore = loadedLibrary('n8n-core');
		if (n8nCore) delete n8nCore.DataDeduplicationService.instance;
	}

	async teardown() {
		this.fakeTimersModern.dispose(); // gives the real ones back
	}
};
