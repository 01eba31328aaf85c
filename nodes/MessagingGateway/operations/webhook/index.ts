import type { Resource } from '../../operation';
import { get } from './get';
import { set } from './set';

export const webhook: Resource = {
	value: 'webhook',
	name: 'Webhook',
	operations: [get, set],
	defaultOperation: get.value,
};
