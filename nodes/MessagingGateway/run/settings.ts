import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ownedBy, type Owner } from '../../gateway/owner';
import { asNumber, asText } from '../../form/values';
import type { KeyWorkflow } from './keys/workflowKeyStore';

/** The options that hold for a whole run, and so take no expression over items. */
export interface Settings {
	maxConcurrency: number;
	/** Infinite: no limit. */
	requestsPerSecond: number;
	/** Keeps the deduplication keys instead of n8n. */
	keyWorkflow?: KeyWorkflow;
}

/** @throws NodeOperationError when one is not a number, or too small, or no workflow is chosen */
export function readSettings(context: IExecuteFunctions): Settings {
	const run = ownedBy(context.getNode());
	const read = (name: string, displayName: string, fallback: number, least: number): number => {
		const entered = context.getNodeParameter(`options.${name}`, 0, fallback);
		return asNumber(run, entered === '' ? fallback : entered, displayName, least);
	};
	return {
		maxConcurrency: Math.floor(read('maxConcurrency', 'Max Concurrency', 10, 1)),
		requestsPerSecond: read('requestsPerSecond', 'Requests per Second', 0, 0) || Infinity,
		keyWorkflow: readKeyWorkflow(context, run),
	};
}

function readKeyWorkflow(context: IExecuteFunctions, run: Owner): KeyWorkflow | undefined {
	if (context.getNodeParameter('options.deduplicationStore', 0, 'n8n') !== 'workflow')
		return undefined;
	// A resource locator, which n8n gives whole; an expression may give its value alone, or nothing.
	const chosen = context.getNodeParameter('options.deduplicationWorkflow', 0, '');
	const { value, cachedResultName } = (
		typeof chosen === 'object' ? (chosen ?? {}) : { value: chosen }
	) as IDataObject;
	const id = asText(run, value, 'Deduplication Workflow').trim();
	if (id !== '') return { id, name: asText(run, cachedResultName, 'Deduplication Workflow') || id };
	throw run.invalid(
		"'Deduplication Workflow' is empty",
		"Choose the workflow that keeps the keys, or remove 'Deduplication Store' from the options to keep them in n8n.",
	);
}
