/**
 * Not part of `npm test`: run.ts runs it once for each n8n, which N8N_FOLDER names, e.g.
 * `N8N_FOLDER=tools/host/versions/2.0.3 npx jest --config test/versions/jest.config.js`.
 */
const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { projects, testTimeout } = require('../../jest.config');

const rootDir = path.join(__dirname, '../..');
const n8nFolder = path.resolve(rootDir, process.env.N8N_FOLDER);
const project = (name) => ({ ...projects.find((each) => each.displayName === name), rootDir });

/** Lets the engine's tests load n8n-core, and what it is loaded with, of the n8n under test. */
function modulesUnderTest() {
	const n8n = createRequire(realpathSync(path.join(n8nFolder, 'node_modules/n8n/bin/n8n')));
	const core = createRequire(n8n.resolve('n8n-core'));
	const names = ['n8n-workflow', '@n8n/di', '@n8n/backend-common', 'reflect-metadata'];
	return Object.fromEntries([
		['^n8n-core$', n8n.resolve('n8n-core')],
		...names.map((name) => [`^${name}$`, core.resolve(name)]),
	]);
}

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{
			...project('e2e'),
			testMatch: [
				'<rootDir>/test/versions/*.test.ts',
				'<rootDir>/test/e2e/{credential,fileLinks,operations,sendAndWait,statusTrigger,trigger.life}.test.ts',
			],
		},
		{
			...project('engine'),
			// The harness's own triggers want what n8n-core exports since 2.40; the real n8n has them here.
			// Older ones have no protection against server-side requests.
			testPathIgnorePatterns: ['trigger/(watch|otherN8n)', 'action/protection'],
			moduleNameMapper: modulesUnderTest(),
			// What n8n-core 2.0 requires although it is an ES module, which jest cannot load.
			transform: { '^.+\\.[jt]s$': Object.values(project('engine').transform)[0] },
			transformIgnorePatterns: ['^(?!.*/(p-retry|is-network-error)@).*/node_modules/'],
		},
	],
	testTimeout,
	maxWorkers: 2,
	forceExit: true, // n8n-core 1.x keeps the process alive
};
