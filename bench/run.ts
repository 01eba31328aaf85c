import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packThisPackage } from '../host';
import { saveResult, targetRow, writeReport } from './report';
import { audio } from './workloads/audio';
import { busy } from './workloads/busy';
import { cancel } from './workloads/cancel';
import { deduplication } from './workloads/deduplication';
import { growth } from './workloads/growth';
import { limiter } from './workloads/limiter';
import { memory } from './workloads/memory';
import { profiles } from './workloads/profile';
import { smsWorkloads } from './workloads/sms';
import { status } from './workloads/status';

const workloads = [
	...smsWorkloads,
	busy,
	limiter,
	growth,
	memory,
	audio,
	cancel,
	deduplication,
	status,
	profiles,
];

const { values } = parseArgs({
	options: {
		/** Name of a workload; may be given more than once. Default: all. */
		only: { type: 'string', multiple: true },
		/** Few items, one round, nothing written: shows that the benchmark works. */
		quick: { type: 'boolean', default: false },
	},
});

async function main() {
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
		if (!values.quick) writeReport(workloads);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});
