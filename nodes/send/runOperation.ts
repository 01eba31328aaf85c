import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { servesAgent } from '../n8n/nodeKinds';
import { useItemOfCall } from './agents';
import { ItemList } from './list';
import type { Operation } from './operation';
import { Report, isDone } from './report';
import { Run, accountsOf } from './run';

/**
 * Runs one operation over all input items: several at a time, messages to one number in input order,
 * output in input order. After a question, the execution waits for the answer.
 *
 * @throws NodeApiError or NodeOperationError about the items that keep the list from being sent, else
 * of the one that ended the run or failed first, unless the node continues on fail; it says what
 * became of all items
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const { waits } = operation;
	const refusedCall = waits?.refuseParallelCall(context);
	if (refusedCall) return [[{ json: refusedCall, pairedItem: { item: 0 } }]];
	const run = new Run(context, operation);
	const report = new Report(run);
	await runAll(run, report);
	const fates = report.collectFates();
	run.journal?.close(!fates.every(isDone));
	const outputs = report.toOutputs(fates);
	report.showHint(fates);
	const asked = fates.find((fate) => fate.kind === 'asked');
	if (asked) await asked.question.waitForAnswer(asked.sent, asked.sentAt);
	else if (waits) outputs.flat().forEach(({ json }) => waits.addFeedback(context, json));
	return outputs;
}

/** Runs all items. If nothing can be sent at all, each item says why. */
async function runAll(run: Run, report: Report): Promise<void> {
	const { context, entered, operation } = run;
	const indexes = context.getInputData().map((_, index) => index);
	try {
		operation.waits?.checkCanWait(context, operation);
		if (servesAgent(entered.node)) await useItemOfCall(context, entered, operation);
		const list = new ItemList(run, report, await accountsOf(context));
		await list.runUntilStopped(indexes);
	} catch (error) {
		indexes.forEach((index) => report.record({ index }, report.toRefusal({ index }, error)));
	}
}
