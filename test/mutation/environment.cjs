/**
 * The world of a test file that shares its libraries with others. While mutants are tried, it also
 * notes which of them each test reaches, or lets only those tests run that reach the one being tried,
 * up to the first that fails.
 */
const { relative } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');
const { loadedLibrary } = require('./runtime.cjs');

/** What the runner and the environments tell each other; they live in one process. */
const mutation = {
	/** Stryker's `__stryker__` for the next test file: with the active mutant, or to note in. */
	newInstrument: () => ({}),
	/** By test file, what its tests reached: `{ mutantCoverage: { static, perTest } }`. */
	instruments: new Map(),
	/** The tests that may run, each with its time limit in ms; all of them where undefined. */
	timeLimits: undefined,
	/** Test files in the order in which they are to run. */
	order: [],
	/** Whether a test has failed: then no other one runs. */
	failed: false,
};

/** The title with those around it, as jest's `fullName`. */
const fullName = ({ name, parent }) => (parent ? `${fullName(parent)} ${name}`.trimStart() : '');

/** Stryker's id of a test; its file is read from it again. */
const idOf = (testFile, name) => `${relative(process.cwd(), testFile)}: ${name}`;
const fileOf = (id) => id.slice(0, id.indexOf(':'));

/** What jest keeps for a test file: its tests, who is told of them, and the limit they set. */
const isOfOneFile = (symbol) =>
	[undefined, 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].includes(Symbol.keyFor(symbol));

/** One for all test files of a process, since the libraries that they share live in it. */
let environment;

class MutationEnvironment extends TestEnvironment {
	constructor(config, context) {
		if (!environment) {
			super(config, context);
			environment = this;
		}
		environment.begin(context.testPath);
		return environment;
	}

	begin(testFile) {
		for (const symbol of Object.getOwnPropertySymbols(this.global)) {
			if (isOfOneFile(symbol)) delete this.global[symbol];
		}
		// What n8n makes once for each process, and each test file for itself.
		loadedLibrary('@n8n/di')?.Container.reset();
		const n8nCore = loadedLibrary('n8n-core');
		if (n8nCore) delete n8nCore.DataDeduplicationService.instance;
		this.testFile = testFile;
		this.instrument = this.global.__stryker__ = mutation.newInstrument();
		mutation.instruments.set(this.testFile, this.instrument);
	}

	async teardown() {
		this.fakeTimersModern.dispose(); // gives the real ones back
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_start') this.beforeTest(test);
		if (name === 'test_done') this.afterTest(test);
	}

	beforeTest(test) {
		const id = idOf(this.testFile, fullName(test));
		if (!mutation.timeLimits) {
			this.instrument.currentTestId = id;
		} else if (!mutation.failed && mutation.timeLimits.has(id)) {
			test.timeout = mutation.timeLimits.get(id);
		} else {
			test.mode = 'skip';
		}
	}

	afterTest(test) {
		this.instrument.currentTestId = undefined;
		mutation.failed ||= test.errors.length > 0;
	}
}

module.exports = Object.assign(MutationEnvironment, { mutation, idOf, fileOf });
