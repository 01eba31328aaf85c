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
	/** One for all items: a run that asked the first item's for all could send to those whom another blocks. */
	const workflow = (of: PlainField<SelectedWorkflow>): SelectedWorkflow => {
		const selected = read(of);
		if (!entered.hasExpression('options', of.name)) return selected;
		const node = ownedBy(entered.node);
		const isOther = (_: unknown, item: number) =>
			of.parse(context.getNodeParameter(`options.${of.name}`, item, ''), node).id !== selected.id;
		if (!context.getInputData().some(isOther)) return selected;
		throw node.invalid(
			`'${of.displayName}' is not the same for all items`,
			'Choose one workflow from the list, or split the items between several nodes. Nothing was sent.',
		);
	};
	// Set even if its expression returns nothing, which is no permission to send.
	const asks = entered.at('options', doNotContactWorkflow.name) !== undefined;
	const keepsInWorkflow = read(deduplicationStore) === 'workflow';
	return {
		maxConcurrency: Math.floor(read(maxConcurrencyOption)),
		requestsPerSecond: read(requestsPerSecondOption) || Infinity, // without a limit
		keyWorkflow: keepsInWorkflow ? workflow(deduplicationWorkflow) : undefined,
		contactWorkflow: asks ? workflow(doNotContactWorkflow) : undefined,
	};
}
