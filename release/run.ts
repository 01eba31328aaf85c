/**
 * `npm run release`: goes through what n8n asks of a package, point by point, and says how each
 * stands. Where none is missing it tags the commit and says how to push the tag: that starts
 * .github/workflows/publish.yml, which alone publishes. `npm run release -- --dry-run` only looks.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { groups } from './points';
import { readProject } from './project';
import { release } from './release';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });

async function main(): Promise<void> {
	const project = readProject(path.dirname(__dirname));
	const canBeReleased = await release(project, groups, { dryRun: values['dry-run'] });
	if (!canBeReleased) process.exitCode = 1;
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
