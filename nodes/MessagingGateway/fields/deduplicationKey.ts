import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item/item';

export const deduplicationKeyOption: INodeProperties = {
	displayName: 'Deduplication Key',
	name: 'deduplicationKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}',
	description:
		'A value that names this message, such as an order ID. This node sends a message with the same key once, also across executions and restarts, and skips it afterwards. It keeps about the last 20,000 keys. In queue mode it does not guard executions that run on several workers at the very same moment.',
};

/**
 * The item's key; empty when the option is not set.
 *
 * @throws NodeOperationError when the option's expression gives this item none
 */
export function readDeduplicationKey(item: Item): string {
	const key = item.optionText('deduplicationKey', 'Deduplication Key');
	if (key === '' && item.optionIsExpression('deduplicationKey')) {
		throw item.invalid(
			"'Deduplication Key' is empty",
			'Its expression gives this item no value, so nothing would keep the message from being sent twice. Let it give one for each item.',
		);
	}
	return key;
}
