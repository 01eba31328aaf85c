import type { INodeParameters } from 'n8n-workflow';
import { outputOf, type WorkflowJson } from '../host';
import type { FaultRule } from '../sandbox/types';
import { chain, node } from '../shared/workflows';
import { nodeTime, type Bench } from './bench';
import { measuredNode, smsNode, type Way } from './ways';

type Send = ReturnType<typeof smsNode>;

const loop = 'Loop Over Items';

/** A workflow that sends one SMS to each of `count` numbers, all at once or in batches. */
export function smsWorkflow(count: number, send: Send, batchSize?: number): WorkflowJson {
	const items = node('Items', 'CUSTOM.benchItems', { count });
	if (batchSize === undefined) return chain('Benchmark', items, send);
	const more = { typeVersion: 3 };
	const batches = node(loop, 'n8n-nodes-base.splitInBatches', { batchSize }, more);
	const workflow = chain('Benchmark', items, batches, send);
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	workflow.connections[loop] = { main: [[], to(measuredNode)] };
	workflow.connections[measuredNode] = { main: [to(loop)] };
	return workflow;
}

export interface Conditions {
	faults?: FaultRule[];
	/** Another address of the sandbox. */
	baseUrl?: string;
	/** Parameter 'Options' of the node. */
	options?: INodeParameters;
	batchSize?: number;
	/** Runs of the same workflow, of which the last counts. */
	runs?: number;
}

/**
 * @returns the node's time in ms
 * @throws Error unless every message was accepted once and every item was output
 */
export async function timeSms(
	bench: Bench,
	way: Way,
	count: number,
	{ faults = [], baseUrl, options, batchSize, runs = 1 }: Conditions = {},
): Promise<number> {
	const account = await bench.newAccount(faults, baseUrl);
	const workflow = smsWorkflow(count, smsNode(way, account, options), batchSize);
	const id = await bench.host.client.createWorkflow(workflow);
	for (let run = 1; run < runs; run++) await bench.run(id);
	const execution = await bench.run(id);
	const accepted = await bench.sandbox.client.timesAccepted({});
	const output = outputOf(execution, measuredNode).length;
	if (accepted !== count * runs || output !== (batchSize ?? count)) {
		const reason = execution.error?.message ?? execution.status;
		throw new Error(`${accepted} of ${count} accepted, ${output} items out: ${reason}`);
	}
	return nodeTime(execution, measuredNode);
}

/** Lets n8n compile the code to be measured. */
export async function warmUp(bench: Bench, ways: readonly Way[]): Promise<void> {
	for (const way of [...ways, ...ways]) await timeSms(bench, way, 1000);
}
