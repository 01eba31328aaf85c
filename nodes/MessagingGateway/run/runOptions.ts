import type { IExecuteFunctions } from 'n8n-workflow';

import { Entered } from '../../form/entered';
import { readOnce, type PlainField } from '../../form/field';
import { deduplicationStore, deduplicationWorkflow } from '../../form/fields/deduplicationKey';
import { doNotContactWorkflow } from '../../form/fields/doNotContact';
import { maxConcurrencyOption, requestsPerSecondOption } from '../../form/fields/runOptions';

export type RunOptions = ReturnType<typeof readRunOptions>;

/**
 * The options that hold for a whole run.
 *
 * @throws NodeOperationError when a number is missing or too small, or no workflow is selected
 */
export function readRunOptions(context: IExecuteFunctions) {
	const read = <T>(of: PlainField<T>): T => readOnce(context, of, 'options');
	// Set even if its expression returns nothing, which is no permission to send.
	const asks = new Entered(context).at('options', doNotContactWorkflow.name) !== undefined;
	return {
		maxConcurrency: Math.floor(read(maxConcurrencyOption)),
		requestsPerSecond: read(requestsPerSecondOption) || Infinity, // without a limit
		keyWorkflow: read(deduplicationStore) === 'workflow' ? read(deduplicationWorkflow) : undefined,
		contactWorkflow: asks ? read(doNotContactWorkflow) : undefined,
	};
}
