/**
 * `npm run bench`, after `npm run build`: measures the workloads and writes the page of figures.
 * `-- --only <name>` measures one, `-- --quick` checks that the benchmark works and writes nothing,
 * `-- --draw` writes the page from the last results.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packThisPackage } from '../host';
import { saveResult, targetRow, writeReport } from './report';
import { workloads } from './workloads';

const { values } = parseArgs({
	options: {
		/** Names of workloads. Default: all. */
		only: { type: 'string', multiple: true },
		quick: { type: 'boolean', default: false },
		draw: { type: 'boolean', default: false },
		/** The folder of the page. Default: docs/measurements. */
		folder: { type: 'string' },
	},
});

async function main() {
	if (values.draw) return writeReport(values.folder);
	const chosen = workloads.filter(({ name }) => values.only?.includes(name) ?? true);
	if (chosen.length === 0) {
		throw new Error(`Workloads: ${workloads.map(({ name }) => name).join(', ')}`);
	}
	const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
	try {
		const tarball = await packThisPackage(folder);
		for (const { name, title, measure } of chosen) {
			console.log(title);
			const measurement = await measure({ tarball, folder, quick: values.quick });
			console.table([measurement.columns, ...measurement.rows]);
			if (values.quick) continue;
			for (const target of measurement.targets) console.log(targetRow(target).join('  '));
			saveResult(name, measurement);
		}
		if (!values.quick) writeReport(values.folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
