import type { Suite } from '../workload';
import { queueList } from '../workloads/queue/list';
import { queueSingle } from '../workloads/queue/single';
import { queueThroughput } from '../workloads/queue/throughput';

export const queue: Suite = {
	title: 'Benchmarks in queue mode',
	page: 'benchmarks-queue.md',
	command: 'npm run bench:queue',
	database: 'PostgreSQL, queue mode',
	introduction: `
A real n8n in queue mode (main, webhook process, workers, each
a process), PostgreSQL and Redis as the system has them, and the sandbox in a process of its own, all on
one machine. Each execution is started by a POST to the webhook process and runs on a worker. The ways
take turns and change their order each round; the first runs, in which code is compiled, do not count.
After each run the sandbox's ledger is checked: each message accepted once.

CPU time is what the operating system counts for a process and those it has started; it does not depend
on how many cores there are, as the rates do: all of this shares the cores named here, so that more
workers than cores add nothing.
`.trim(),
	workloads: [queueThroughput, queueList, queueSingle],
};
