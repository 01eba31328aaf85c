import type { Resource } from '../../operation';
import { getConnectionState } from './getConnectionState';
import { logOut } from './logOut';

export const instance: Resource = {
	value: 'instance',
	name: 'Instance',
	operations: [getConnectionState, logOut],
	defaultOperation: getConnectionState.value,
};
