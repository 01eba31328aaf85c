import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { inProcess } from '../../gateway/inProcess';

/** Calls by n8n's MCP Server Trigger, which have no execution: by their arguments, the same in all tries. */
const callsOutside = inProcess.weakMap<object, IDataObject>();

/**
 * What n8n keeps for the node, to be changed in place: for the next run of a loop, the next try of
 * 'Retry On Fail' and, with a failed execution, its Retry. A substitute where there is no execution, or
 * none that n8n could run again.
 */
export function nodeContext(context: IExecuteFunctions): IDataObject {
	try {
		if (context.getExecutionId()) return context.getContext('node');
	} catch {
		// n8n has no data of this execution, so it cannot run it again either.
	}
	const call = context.getInputData()[0]?.json ?? context;
	const place = callsOutside.get(call) ?? {};
	callsOutside.set(call, place);
	return place;
}

/** The index of the node's run in its execution, as in a loop. */
export const runIndexOf = (context: IExecuteFunctions): number =>
	context.getWorkflowDataProxy(0).$runIndex as number;
