/**
 * Loads libraries once for all test files of a process: n8n's core takes longer to load than most
 * tests take. What is under test, and the tests, are loaded anew for each file.
 */
const { default: Runtime } = require('jest-runtime');

const isLibrary = (path) => path.includes('/node_modules/');

/** Libraries that are loaded, by their files. */
const libraries = new Map();

/** Modules by their files, as jest keeps them for one test file. */
class Modules extends Map {
	get(path) {
		return isLibrary(path) ? libraries.get(path) : super.get(path);
	}

	has(path) {
		return isLibrary(path) ? libraries.has(path) : super.has(path);
	}

	set(path, module) {
		if (!isLibrary(path)) return super.set(path, module);
		libraries.set(path, module);
		return this;
	}

	delete(path) {
		return isLibrary(path) ? libraries.delete(path) : super.delete(path);
	}
}

class SharingRuntime extends Runtime {
	constructor(...args) {
		super(...args);
		this.registries.moduleRegistry = new Modules();
		// What a library loads later, its first runtime loads, whether or not its own tests go on.
		for (const end of ['leaveTestCode', 'teardown']) this.testState[end] = () => {};
	}

	/** What a test file mocks is not mocked for libraries: they are there for all files. */
	requireModuleOrMock(from, moduleName) {
		if (isLibrary(from)) return this.requireModule(from, moduleName);
		return super.requireModuleOrMock(from, moduleName);
	}
}

/** What a library exports, if it is loaded. */
function loadedLibrary(name) {
	const paths = [...libraries.keys()].filter((path) => path.includes(`/node_modules/${name}/`));
	return libraries.get(paths[0])?.exports;
}

module.exports = Object.assign(SharingRuntime, { loadedLibrary });
