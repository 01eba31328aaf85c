import type { IExecuteFunctions } from 'n8n-workflow';

import { servesAgent } from './agent';

/**
 * Whether a node runs in n8n's Engine 2.0, which shows in what it lacks: a signal of *Stop*. Nor has it
 * the workflow's time zone, or a way to wait. It has no tools, some of which lack the signal elsewhere.
 */
export const isInEngine2 = (context: IExecuteFunctions): boolean =>
	context.getExecutionCancelSignal() === undefined && !servesAgent(context.getNode());
