import { outputOf, type WorkflowJson } from '../host';
import type { FaultRule } from '../sandbox/types';
import { chain, node } from '../shared/workflows';
import { nodeTime, type Bench } from './bench';
import { measuredNode, smsNode, type Way } from './ways';

type Send = ReturnType<typeof smsNode>;

/** A workflow that sends one SMS to each of `count` numbers. */
export const smsWorkflow = (count: number, send: Send): WorkflowJson =>
	chain('Benchmark', node('Items', 'CUSTOM.benchItems', { count }), send);

/** @returns the node's time in ms @throws Error unless every message was accepted once and came out */
export async function timeSms(
	bench: Bench,
	way: Way,
	count: number,
	faults: FaultRule[] = [],
): Promise<number> {
	const account = await bench.newAccount(faults);
	const workflow = smsWorkflow(count, smsNode(way, account));
	const execution = await bench.run(await bench.host.client.createWorkflow(workflow));
	const ms = nodeTime(execution, measuredNode);
	const accepted = await bench.sandbox.countAccepted();
	const output = outputOf(execution, measuredNode).length;
	if (accepted === count && output === count) return ms;
	throw new Error(`${accepted} of ${count} accepted, ${output} items out`);
}

/** Lets n8n compile the code to be measured. */
export async function warmUp(bench: Bench, ways: readonly Way[]): Promise<void> {
	for (const way of [...ways, ...ways]) await timeSms(bench, way, 1000);
}
