import { audio } from '../workloads/audio';
import { busy } from '../workloads/busy';
import { cancel } from '../workloads/cancel';
import { deduplication } from '../workloads/deduplication';
import { growth } from '../workloads/growth';
import { limiter } from '../workloads/limiter';
import { memory } from '../workloads/memory';
import { profiles } from '../workloads/profile';
import { smsWorkloads } from '../workloads/sms';
import type { Suite } from '../workload';

export const nodes: Suite = {
	title: 'Benchmarks',
	page: 'benchmarks.md',
	command: 'npm run bench',
	database: 'SQLite',
	introduction: `
A real n8n, the sandbox in a process of its own, and
the same messages sent in several ways:

| | |
|---|---|
| this package | Message: Send SMS, default options |
| HTTP Request node | with the same credential, default options: all items at once |
| declarative node | the same operation as a declarative node, [bench/nodes](../bench/nodes) |
| one at a time | the same operation as a plain loop |
| floor | n8n's own request helper, ten at a time, credential read once; nothing is checked, ordered, retried or explained |

The ways take turns in one n8n and change their order each round; the first runs, in which code is
compiled, do not count. The time is the node's own, as n8n's execution data has it. n8n saves execution
data as it does by default. After each run the sandbox's ledger is checked: each message accepted once.
`.trim(),
	workloads: [
		...smsWorkloads,
		busy,
		limiter,
		growth,
		memory,
		audio,
		cancel,
		deduplication,
		profiles,
	],
};
