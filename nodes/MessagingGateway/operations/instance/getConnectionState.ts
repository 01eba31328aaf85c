import { operation } from '../../../send/operation';
import {
	connectionState,
	disconnectedAsAnswer,
	readConnected,
} from '../../../service/endpoints/instance';
import { withAnswer, firstObject } from '../../../service/outcome';

/** Interface §4.10. It does not show the body of a success: `connected` is null if unclear. */
export const getConnectionState = operation({
	value: 'getConnectionState',
	name: 'Get Connection State',
	action: 'Get connection state of instance',
	description: 'Check whether the chat-app instance of the credential is connected',
	idempotent: true,
	fields: {},

	request: (_, item) => ({
		...connectionState(item.account),
		judge: disconnectedAsAnswer,
		output: (body) => withAnswer({ connected: readConnected(firstObject(body)) }, body),
	}),
});
