import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import { ownedBy, type Owner } from '../../gateway/owner';
import type { PlainField } from '../../form/field';
import { deduplicationStore, deduplicationWorkflow } from '../../form/fields/deduplicationKey';
import { maxConcurrencyOption, requestsPerSecondOption } from '../../form/fields/runOptions';
import { doNotContactWorkflow } from '../../form/fields/doNotContact';
import type { ChosenWorkflow } from './askedWorkflow';

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
		contactWorkflow: readContactWorkflow(context, run),
	};
}

function readKeyWorkflow(context: IExecuteFunctions, run: Owner): ChosenWorkflow | undefined {
	const store = deduplicationStore;
	if (context.getNodeParameter(`options.${store.name}`, 0, store.default) !== 'workflow') return;
	return readWorkflow(context, run, deduplicationWorkflow, howToKeepInN8n);
}

/** An expression that gives nothing is no permission: the option is there. */
function readContactWorkflow(context: IExecuteFunctions, run: Owner): ChosenWorkflow | undefined {
	const { options } = context.getNode().parameters;
	const isSet = isObject(options) && Object.hasOwn(options, doNotContactWorkflow.name);
	return isSet ? readWorkflow(context, run, doNotContactWorkflow, howToRemove) : undefined;
}

/**
 * A workflow that is chosen in the options.
 *
 * @param whenEmpty what to do then
 */
function readWorkflow(
	context: IExecuteFunctions,
	run: Owner,
	of: PlainField<string>,
	whenEmpty: string,
): ChosenWorkflow {
	// A resource locator, which n8n gives whole; an expression may give its value alone, or nothing.
	const chosen = context.getNodeParameter(`options.${of.name}`, 0, '');
	const { value, cachedResultName } = (
		typeof chosen === 'object' ? (chosen ?? {}) : { value: chosen }
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
