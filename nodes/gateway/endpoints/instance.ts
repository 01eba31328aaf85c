import type { IDataObject } from 'n8n-workflow';

import type { Account } from '../account';
import { isObject } from '../answerBody';
import type { Reason } from '../outcome';
import type { GatewayRequest } from '../request';
import { serviceTexts } from '../serviceTexts';

/** Interface §4.10. @throws what the account makes of it when the instance token is missing */
export const connectionState = (account: Pick<Account, 'chatAppPath'>): GatewayRequest => ({
	method: 'GET',
	path: account.chatAppPath('/instance/connectionState'),
	expected: 'notShown',
});

/** Interface §4.9. @throws likewise */
export const logOutInstance = (account: Account, instance: string): GatewayRequest => ({
	method: 'DELETE',
	path: account.chatAppPath(`/instance/logout/${encodeURIComponent(instance)}`),
	expected: 'notShown',
});

/** Whether it is what a request was refused for: of §4.10 that is an answer. */
export const isDisconnected = ({ text }: Reason): boolean =>
	text === serviceTexts.instanceDisconnected;

/**
 * Whether an instance is connected (interface §4.10, which shows no body): reads the names and words
 * that such services use, also in an `instance` inside; null when none is there.
 */
export function readConnected(answer: IDataObject): boolean | null {
	for (let at: unknown = answer; isObject(at); at = at.instance) {
		const { connected, state, connectionState, status } = at;
		if (typeof connected === 'boolean') return connected;
		const told = [state, connectionState, status].find((value) => asWord(value) !== '');
		if (/^(open|opened|connected|online)$/i.test(asWord(told))) return true;
		if (/^(close|closed|connecting|disconnected|offline)$/i.test(asWord(told))) return false;
	}
	return null;
}

const asWord = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
