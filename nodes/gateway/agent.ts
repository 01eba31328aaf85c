import type { INode } from 'n8n-workflow';

/** Whether an AI agent reads what a node says: n8n makes such a type of each that serves one. */
export const servesAgent = ({ type }: INode): boolean => type.endsWith('Tool');

/** Whether a node stands between an AI agent and its tool: n8n makes such a type of each that waits. */
export const isHumanReview = ({ type }: INode): boolean => type.endsWith('HitlTool');

/** Whether an AI agent calls a node: n8n makes such a type of each that is usable as a tool. */
export const isAgentTool = (node: INode): boolean => servesAgent(node) && !isHumanReview(node);
