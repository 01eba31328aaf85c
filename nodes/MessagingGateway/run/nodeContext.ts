import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * What n8n keeps for the node, to be changed in place: for the next run of a loop, the next try of
 * 'Retry On Fail' and, with a failed execution, its Retry. Empty where there is no execution, as for a
 * tool that n8n's MCP Server Trigger calls, or none that n8n could run again.
 */
export function nodeContext(context: IExecuteFunctions): IDataObject {
	try {
		return context.getExecutionId() ? context.getContext('node') : {};
	} catch {
		return {};
	}
}

/** The index of the node's run in its execution, as in a loop. */
export const runIndexOf = (context: IExecuteFunctions): number =>
	context.getWorkflowDataProxy(0).$runIndex as number;
