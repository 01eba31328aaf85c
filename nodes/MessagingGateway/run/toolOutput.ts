import type { IDataObject } from 'n8n-workflow';

import { asLine } from '../../text/quote';

/** More than any hint of this node. */
const longestText = 1_000;

/** Deeper than anything that the interface shows. */
const deepest = 20;

/** A text for an AI agent: with line breaks it could pass for instructions, and cost any number of tokens. */
export const asToolText = (text: string): string => asLine(text, longestText);

/** Output for an AI agent: every text of it in one line and bounded, those of the service among them. */
export function toToolOutput(output: IDataObject): IDataObject {
	return bounded(output, 0) as IDataObject;
}

function bounded(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return asToolText(value);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === deepest) return '…';
	if (Array.isArray(value)) return value.map((entry) => bounded(entry, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [asToolText(key), bounded(entry, depth + 1)]),
	);
}
