import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ownedBy, type Owner } from '../../gateway/owner';
import type { PlainField } from '../../form/field';
import { deduplicationStore, deduplicationWorkflow } from '../../form/fields/deduplicationKey';
import { maxConcurrencyOption, requestsPerSecondOption } from '../../form/fields/runOptions';
import type { KeyWorkflow } from './keys/workflowKeyStore';

export type RunOptions = ReturnType<typeof readRunOptions>;

/**
 * The options that hold for a whole run, and so take no expression over items.
 *
 * @throws NodeOperationError when one is not a number, or too small, or no workflow is chosen
 */
export function readRunOptions(context: IExecuteFunctions) {
	const run = ownedBy(context.getNode());
	const read = (of: PlainField<number>): number => {
		const entered = context.getNodeParameter(`options.${of.name}`, 0, of.default);
		return of.parse(entered === '' ? of.default : entered, run);
	};
	return {
		maxConcurrency: Math.floor(read(maxConcurrencyOption)),
		requestsPerSecond: read(requestsPerSecondOption) || Infinity, // without a limit
		keyWorkflow: readKeyWorkflow(context, run),
	};
}

function readKeyWorkflow(context: IExecuteFunctions, run: Owner): KeyWorkflow | undefined {
	const store = deduplicationStore;
	if (context.getNodeParameter(`options.${store.name}`, 0, store.default) !== 'workflow') return;
	// A resource locator, which n8n gives whole; an expression may give its value alone, or nothing.
	const chosen = context.getNodeParameter(`options.${deduplicationWorkflow.name}`, 0, '');
	const { value, cachedResultName } = (
		typeof chosen === 'object' ? (chosen ?? {}) : { value: chosen }
	) as IDataObject;
	const read = (entered: unknown): string => deduplicationWorkflow.parse(entered, run);
	const id = read(value).trim();
	if (id !== '') return { id, name: read(cachedResultName) || id };
	throw run.invalid(
		"'Deduplication Workflow' is empty",
		"Choose the workflow that keeps the keys, or remove 'Deduplication Store' from the options to keep them in n8n.",
	);
}
