import type { IDataObject } from 'n8n-workflow';

import { flag, option, type Field } from '../field';
import { describeNumber } from './to';

const entered = option(
	flag({
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to send nothing and only show what would be sent, what it would cost, and what would be refused',
	}),
);

/**
 * What is known of the number of an item that is only to be tried; undefined where the item is to be
 * sent. An expression that gives nothing is refused: so nothing goes out by accident.
 */
export const dryRunOption: Field<IDataObject | undefined> = {
	...entered,
	read: (item) => (entered.read(item) ? { ...describeNumber(item) } : undefined),
};
