import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packThisPackage } from '../host';
import { saveResult, targetRow, writeReport } from './report';
import { nodes } from './suites/nodes';
import { queue } from './suites/queue';
import { writeTriggerReport } from './triggerReport';

const suites = { nodes, queue };

const { values } = parseArgs({
	options: {
		suite: { type: 'string', default: 'nodes' },
		/** Name of a workload; may be given more than once. Default: all. */
		only: { type: 'string', multiple: true },
		/** Few items, one round, nothing written: shows that the benchmark works. */
		quick: { type: 'boolean', default: false },
		/** Measures nothing: writes all pages and pictures again from the last results. */
		draw: { type: 'boolean', default: false },
		/** Where those go; default: docs/. */
		folder: { type: 'string' },
	},
});

async function main() {
	if (values.draw) {
		for (const suite of Object.values(suites)) await writeReport(suite, values.folder);
		return await writeTriggerReport(values.folder);
	}
	const suite = suites[values.suite as keyof typeof suites];
	const chosen = suite.workloads.filter(({ name }) => values.only?.includes(name) ?? true);
	if (chosen.length === 0) {
		throw new Error(`Workloads: ${suite.workloads.map(({ name }) => name).join(', ')}`);
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
			saveResult(suite, name, measurement);
		}
		if (!values.quick) await writeReport(suite);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
