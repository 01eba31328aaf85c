import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { asNumber } from '../item/values';

/** The options that hold for a whole run, and so take no expression over items. */
export interface Settings {
	maxConcurrency: number;
	/** Infinite: no limit. */
	requestsPerSecond: number;
}

/** @throws NodeOperationError when one is not a number, or too small */
export function readSettings(context: IExecuteFunctions): Settings {
	const run = {
		invalid: (message: string, description: string) =>
			new NodeOperationError(context.getNode(), message, { description }),
	};
	const read = (name: string, displayName: string, fallback: number, least: number): number => {
		const entered = context.getNodeParameter(`options.${name}`, 0, fallback);
		return asNumber(run, entered === '' ? fallback : entered, displayName, least);
	};
	return {
		maxConcurrency: Math.floor(read('maxConcurrency', 'Max Concurrency', 10, 1)),
		requestsPerSecond: read('requestsPerSecond', 'Requests per Second', 0, 0) || Infinity,
	};
}
