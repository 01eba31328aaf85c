import type { INode } from 'n8n-workflow';

/** Whether an AI agent reads what a node says: n8n makes such a type of each that serves one. */
export const servesAgent = ({ type }: INode): boolean => type.endsWith('Tool');
