import type { IDataObject } from 'n8n-workflow';

/**
 * Whether an instance is connected (interface §4.10, which shows no body): reads the names and words
 * that such services use; null when none is there.
 */
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
