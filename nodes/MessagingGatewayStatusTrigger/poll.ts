import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { findChanges } from './look/findChanges';
import { memoryOf } from './look/nodeMemory';
import { fetchSample } from './look/sample';
import { toSay } from './look/say';

/** States that a look works on. n8n does not wait for a look before it begins the next. */
const underWay = new WeakSet<object>();

/**
 * One look. Its changes start the workflow; without any, there is nothing to start.
 *
 * @throws NodeApiError or NodeOperationError when something is to be said that went wrong. Then the
 * state is as it was: what has changed is found by the next look. What can wait lets changes go first.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await fetchSample(context);
	const data = context.getWorkflowStaticData('node');
	if (underWay.has(data)) return null;

	const memory = memoryOf(context);
	underWay.add(data);
	try {
		const { items, failures, keep } = await findChanges(context, data, memory);
		const error = toSay(context, memory, failures, items.length > 0);
		if (error) throw error;
		keep();
		return items.length > 0 ? [items] : null;
	} finally {
		underWay.delete(data);
	}
}
