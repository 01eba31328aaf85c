import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

/** The options that hold for a whole run, and so take no expression over items. */
export interface Settings {
	maxConcurrency: number;
	/** Infinite: no limit. */
	requestsPerSecond: number;
}

/** @throws NodeOperationError when one is not a number, or too small */
export function readSettings(context: IExecuteFunctions): Settings {
	const read = (name: string, displayName: string, fallback: number, least: number): number => {
		const entered = context.getNodeParameter(`options.${name}`, 0, fallback);
		const value = entered === '' ? fallback : Number(entered ?? NaN);
		if (value >= least) return value;
		const message = `'${displayName}' is not a number from ${least}`;
		throw new NodeOperationError(context.getNode(), message, {
			description: `Enter ${least} or more in the options.`,
		});
	};
	return {
		maxConcurrency: Math.floor(read('maxConcurrency', 'Max Concurrency', 10, 1)),
		requestsPerSecond: read('requestsPerSecond', 'Requests per Second', 0, 0) || Infinity,
	};
}
