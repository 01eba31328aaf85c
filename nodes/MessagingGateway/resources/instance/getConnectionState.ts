import type { IDataObject } from 'n8n-workflow';

import { firstObject } from '../../../shared/answer';
import { serviceTexts } from '../../../shared/serviceTexts';
import { withAnswer } from '../../fields/withAnswer';
import type { Operation } from '../../operation';

/**
 * Interface §4.10. The body of a success is not shown, so `connected` is null where the answer
 * has no word that is clear.
 */
export const getConnectionState: Operation = {
	value: 'getConnectionState',
	name: 'Get Connection State',
	action: 'Get the connection state of an instance',
	description:
		'Check whether the chat-app instance of the credential is connected. A disconnected instance is an answer, not an error.',
	idempotent: true,
	fields: [],

	request: (item) => ({
		method: 'GET',
		path: item.chatAppPath('/instance/connectionState'),
		expected: 'notShown',
		output: (body) => withAnswer({ connected: readConnected(firstObject(body)) }, body),
	}),

	refusalAsAnswer: ({ text }) =>
		text === serviceTexts.instanceDisconnected
			? withAnswer({ connected: false }, { success: false, message: text })
			: undefined,
};

/** Reads the names and words that such services use; null when none is there. */
export function readConnected(answer: IDataObject): boolean | null {
	const { connected, state, status, connectionState, instance } = answer;
	if (typeof connected === 'boolean') return connected;
	const word = [state, connectionState, status].find((value) => typeof value === 'string');
	if (typeof word === 'string') {
		if (/^(open|opened|connected|online)$/i.test(word)) return true;
		if (/^(close|closed|connecting|disconnected|offline)$/i.test(word)) return false;
	}
	const isNested = typeof instance === 'object' && instance !== null && !Array.isArray(instance);
	return isNested ? readConnected(instance as IDataObject) : null;
}
