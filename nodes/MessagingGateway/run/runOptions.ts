import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { PlainField } from '../../form/field';
import { deduplicationStore, deduplicationWorkflow } from '../../form/fields/deduplicationKey';
import { doNotContactWorkflow } from '../../form/fields/doNotContact';
import { maxConcurrencyOption, requestsPerSecondOption } from '../../form/fields/runOptions';
import { isObject } from '../../gateway/answerBody';
import { ownedBy } from '../../gateway/owner';
import type { SelectedWorkflow } from './subWorkflow';

export type RunOptions = ReturnType<typeof readRunOptions>;

/**
 * The options that hold for a whole run, and so are read only for its first item.
 *
 * @throws NodeOperationError when a number is missing or too small, or no workflow is selected
 */
export function readRunOptions(context: IExecuteFunctions) {
	const run = ownedBy(context.getNode());
	const entered = (name: string, byDefault: unknown) =>
		context.getNodeParameter(`options.${name}`, 0, byDefault);
	const number = (of: PlainField<number>): number => {
		const value = entered(of.name, of.default);
		return of.parse(value === '' ? of.default : value, run);
	};
	const workflow = (of: PlainField<string>, whenEmpty: string): SelectedWorkflow => {
		// A whole resource locator; an expression may return its value alone, or nothing.
		const selected = entered(of.name, '');
		const { value, cachedResultName } = (
			typeof selected === 'object' ? (selected ?? {}) : { value: selected }
		) as IDataObject;
		const id = of.parse(value, run).trim();
		if (id !== '') return { id, name: of.parse(cachedResultName, run) || id };
		throw run.invalid(`'${of.displayName}' is empty`, whenEmpty);
	};

	const usesWorkflow = entered(deduplicationStore.name, deduplicationStore.default) === 'workflow';
	// Set even if its expression returns nothing, which is no permission to send.
	const { options } = context.getNode().parameters;
	const isSet = isObject(options) && Object.hasOwn(options, doNotContactWorkflow.name);
	return {
		maxConcurrency: Math.floor(number(maxConcurrencyOption)),
		requestsPerSecond: number(requestsPerSecondOption) || Infinity, // without a limit
		keyWorkflow: usesWorkflow ? workflow(deduplicationWorkflow, howToKeepInN8n) : undefined,
		contactWorkflow: isSet ? workflow(doNotContactWorkflow, howToRemove) : undefined,
	};
}

const howToKeepInN8n =
	"Choose the workflow that keeps the keys, or remove 'Deduplication Store' from the options to keep them in n8n.";

const howToRemove =
	'Choose the workflow that knows who must not be contacted, or remove the option. Nothing was sent.';
