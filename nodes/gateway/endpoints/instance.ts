import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../answerBody';

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
