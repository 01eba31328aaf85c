import type { Resource } from '../../operation';
import { remove } from './delete';
import { get } from './get';
import { getAll } from './getAll';

export const campaign: Resource = {
	value: 'campaign',
	name: 'Campaign',
	operations: [remove, get, getAll],
	defaultOperation: get.value,
};
