import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import { ownedBy, type Owner } from '../../gateway/owner';
import type { PlainField } from '../../form/field';
import { deduplicationStore, deduplicationWorkflow } from '../../form/fields/deduplicationKey';
import { maxConcurrencyOption, requestsPerSecondOption } from '../../form/fields/runOptions';
import { doNotContactWorkflow } from '../../form/fields/doNotContact';
import type { SelectedWorkflow } from './subWorkflow';

export type RunOptions = ReturnType<typeof readRunOptions>;

/**
 * The options that hold for a whole run, and so are read for its first item only.
 *
 * @throws NodeOperationError when a number is missing or too small, or no workflow is selected
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
		contactWorkflow: readContactWorkflow(context, run),
	};
}

function readKeyWorkflow(context: IExecuteFunctions, run: Owner): SelectedWorkflow | undefined {
	const store = deduplicationStore;
	if (context.getNodeParameter(`options.${store.name}`, 0, store.default) !== 'workflow') return;
	return readWorkflow(context, run, deduplicationWorkflow, howToKeepInN8n);
}

/** The option counts as set even if its expression returns nothing: that is no permission to send. */
function readContactWorkflow(context: IExecuteFunctions, run: Owner): SelectedWorkflow | undefined {
	const { options } = context.getNode().parameters;
	const isSet = isObject(options) && Object.hasOwn(options, doNotContactWorkflow.name);
	return isSet ? readWorkflow(context, run, doNotContactWorkflow, howToRemove) : undefined;
}

/** @param whenEmpty the advice when no workflow is selected */
function readWorkflow(
	context: IExecuteFunctions,
	run: Owner,
	of: PlainField<string>,
	whenEmpty: string,
): SelectedWorkflow {
	// A whole resource locator; an expression may return its value alone, or nothing.
	const selected = context.getNodeParameter(`options.${of.name}`, 0, '');
	const { value, cachedResultName } = (
		typeof selected === 'object' ? (selected ?? {}) : { value: selected }
	) as IDataObject;
	const read = (entered: unknown): string => of.parse(entered, run);
	const id = read(value).trim();
	if (id !== '') return { id, name: read(cachedResultName) || id };
	throw run.invalid(`'${of.displayName}' is empty`, whenEmpty);
}

const howToKeepInN8n =
	"Choose the workflow that keeps the keys, or remove 'Deduplication Store' from the options to keep them in n8n.";

const howToRemove =
	'Choose the workflow that knows who must not be contacted, or remove the option. Nothing was sent.';
