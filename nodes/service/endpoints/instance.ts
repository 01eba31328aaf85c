import type { IDataObject } from 'n8n-workflow';

import { chatAppPath, type Account } from '../../account/account';
import { isObject } from '../../text/values';
import { serviceTexts, type Reason } from '../outcome';
import type { GatewayRequest, Judge } from '../request';

/** Interface §4.10. @throws as `chatAppPath` */
export const connectionState = (account: Account): GatewayRequest => ({
	method: 'GET',
	path: chatAppPath(account, '/instance/connectionState'),
	expected: 'notShown',
});

/** Interface §4.9. @throws as `chatAppPath` */
export const logOutInstance = (account: Account, instance: string): GatewayRequest => ({
	method: 'DELETE',
	path: chatAppPath(account, `/instance/logout/${encodeURIComponent(instance)}`),
	expected: 'notShown',
});

export const isDisconnected = ({ text }: Reason): boolean =>
	text === serviceTexts.instanceDisconnected;

/** Takes the refusal of a disconnected instance for an answer. */
export const disconnectedAsAnswer: Judge = (outcome) => {
	if (outcome.kind !== 'refused' || !isDisconnected(outcome.reason)) return outcome;
	return { kind: 'accepted', body: { success: false, message: outcome.reason.text } };
};

/**
 * Whether an instance is connected, by common names and words, also in a nested `instance`, as
 * interface §4.10 shows no body. Null if unknown.
 */
export function readConnected(answer: IDataObject): boolean | null {
	if (answer.success === false) return false; // the answer of `disconnectedAsAnswer`
	for (let at: unknown = answer; isObject(at); at = at.instance) {
		const { connected, state, connectionState, status } = at;
		if (typeof connected === 'boolean') return connected;
		const word = [state, connectionState, status].map(asWord).find((text) => text !== '') ?? '';
		if (/^(open|opened|connected|online)$/i.test(word)) return true;
		if (/^(close|closed|connecting|disconnected|offline)$/i.test(word)) return false;
	}
	return null;
}

const asWord = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
