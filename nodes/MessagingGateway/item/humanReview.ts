import type { INode } from 'n8n-workflow';

/** Whether a node stands between an AI agent and its tool: n8n makes such a type of each that waits. */
export const isHumanReview = ({ type }: INode): boolean => type.endsWith('HitlTool');
