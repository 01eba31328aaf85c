import type { INodeProperties } from 'n8n-workflow';

import type { Item } from '../item/item';

export const deduplicationKeyOption: INodeProperties = {
	displayName: 'Deduplication Key',
	name: 'deduplicationKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}',
	description:
		'A value that names this message, such as an order ID. This node sends a message with the same key once, also across executions and restarts, and skips it afterwards. It keeps the latest 20,000 keys. In queue mode it does not guard executions that run on several workers at the very same moment.',
};

/**
 * The item's key; empty when the option is not set.
 *
 * @throws NodeOperationError when the option's expression gives this item none, or when there is no
 * expression and so one key for many messages
 */
export function readDeduplicationKey(item: Item): string {
	const key = item.optionText('deduplicationKey', 'Deduplication Key');
	const isExpression = item.optionIsExpression('deduplicationKey');
	if (key === '' && isExpression) {
		throw item.invalid(
			"'Deduplication Key' is empty",
			'Its expression gives this item no value, so nothing would keep the message from being sent twice. Let it give one for each item.',
		);
	}
	if (key !== '' && !isExpression && item.total > 1) {
		throw item.invalid(
			`'Deduplication Key' is the same for all ${item.total} items: '${key}'`,
			'Each key names one message, so that only the first would be sent. Use an expression that gives each item its own, e.g. {{ $json.orderId }}.',
		);
	}
	return key;
}
