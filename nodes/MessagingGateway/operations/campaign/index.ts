import type { Resource } from '../../operation';
import { deleteCampaign } from './delete';
import { get } from './get';
import { getAll } from './getAll';

export const campaign: Resource = {
	value: 'campaign',
	name: 'Campaign',
	operations: [deleteCampaign, get, getAll],
	defaultOperation: get.value,
};
