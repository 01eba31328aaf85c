import type { Resource } from '../../operation';
import { deleteCampaign } from './delete';
import { get } from './get';

export const campaign: Resource = {
	value: 'campaign',
	name: 'Campaign',
	operations: [deleteCampaign, get],
	defaultOperation: get.value,
};
