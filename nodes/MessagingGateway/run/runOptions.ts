import type { IExecuteFunctions } from 'n8n-workflow';

import type { Entered } from '../../form/entered';
import { readOnce, type PlainField } from '../../form/field';
import { deduplicationStore, deduplicationWorkflow } from '../../form/fields/deduplicationKey';
import { doNotContactWorkflow } from '../../form/fields/doNotContact';
import { maxConcurrencyOption, requestsPerSecondOption } from '../../form/fields/runOptions';
import type { SelectedWorkflow } from '../../form/fields/workflow';
import { ownedBy } from '../../gateway/owner';

/**
 * The options that hold for a whole run.
 *
 * @throws NodeOperationError when a number is missing or too small, or no workflow is selected
 */
export function readRunOptions(context: IExecuteFunctions, entered: Entered) {
	const read = <T>(of: PlainField<T>): T => readOnce(context, of, 'options');
	const varying: VaryingWorkflows = [];
	const workflow = (of: PlainField<SelectedWorkflow>): SelectedWorkflow => {
		const selected = read(of);
		if (entered.hasExpression('options', of.name)) varying.push([of, selected]);
		return selected;
	};
	// Set even if its expression returns nothing, which is no permission to send.
	const asks = entered.at('options', doNotContactWorkflow.name) !== undefined;
	const keepsInWorkflow = read(deduplicationStore) === 'workflow';
	return {
		maxConcurrency: Math.floor(read(maxConcurrencyOption)),
		requestsPerSecond: read(requestsPerSecondOption) || Infinity, // without a limit
		keyWorkflow: keepsInWorkflow ? workflow(deduplicationWorkflow) : undefined,
		contactWorkflow: asks ? workflow(doNotContactWorkflow) : undefined,
		varying,
	};
}

/** Workflows that an expression may give anew for each item, with the first item's. */
export type VaryingWorkflows = Array<[PlainField<SelectedWorkflow>, SelectedWorkflow]>;

/**
 * Checks that an item has the run's workflows: a run that asked the first item's for all could send to
 * those whom another blocks.
 *
 * @throws NodeOperationError when an expression gives the item another one, or none
 */
export function checkWorkflows(
	context: IExecuteFunctions,
	entered: Entered,
	varying: VaryingWorkflows,
	item: number,
): void {
	const node = ownedBy(entered.node);
	for (const [of, ofRun] of varying) {
		const { id } = of.parse(context.getNodeParameter(`options.${of.name}`, item, ''), node);
		if (id === ofRun.id) continue;
		throw node.invalid(
			`'${of.displayName}' is not the same for all items`,
			'Choose one workflow from the list, or split the items between several nodes. Nothing was sent.',
		);
	}
}
