import type { Resource } from '../../operation';
import { getAll } from './getAll';
import { revoke } from './revoke';

export const apiKey: Resource = {
	value: 'apiKey',
	name: 'API Key',
	operations: [getAll, revoke],
	defaultOperation: getAll.value,
};
