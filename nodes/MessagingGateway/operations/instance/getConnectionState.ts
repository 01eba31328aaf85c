import { firstObject, withAnswer } from '../../../gateway/answerBody';
import {
	connectionState,
	isDisconnected,
	readConnected,
} from '../../../gateway/endpoints/instance';
import { operation } from '../../operation';

/**
 * Interface §4.10. The body of a success is not shown, so `connected` is null where the answer
 * has no word that is clear.
 */
export const getConnectionState = operation({
	value: 'getConnectionState',
	name: 'Get Connection State',
	action: 'Get connection state of instance',
	description: 'Check whether the chat-app instance of the credential is connected',
	idempotent: true,
	fields: {},

	request: (_, item) => ({
		...connectionState(item),
		output: (body) => withAnswer({ connected: readConnected(firstObject(body)) }, body),
	}),

	refusalAsAnswer: (reason) =>
		isDisconnected(reason)
			? withAnswer({ connected: false }, { success: false, message: reason.text })
			: undefined,
});
