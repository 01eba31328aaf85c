import type { INode, IExecuteFunctions } from 'n8n-workflow';

// n8n derives these types from the types of nodes that are usable as a tool.

/** Whether an AI agent reads a node's output. */
export const servesAgent = ({ type }: INode): boolean => type.endsWith('Tool');

/** Whether a node reviews an AI agent's call of a tool. */
export const isHumanReview = ({ type }: INode): boolean => type.endsWith('HitlTool');

/** Whether an AI agent calls a node as a tool. */
export const isAgentTool = (node: INode): boolean => servesAgent(node) && !isHumanReview(node);

/**
 * Whether a node runs in n8n's Engine 2.0, which has no tools. It shows in what a node lacks: a signal
 * of *Stop*, and with it the workflow's time zone and a way to wait.
 */
export const isInEngine2 = (context: IExecuteFunctions): boolean =>
	context.getExecutionCancelSignal() === undefined && !servesAgent(context.getNode());
