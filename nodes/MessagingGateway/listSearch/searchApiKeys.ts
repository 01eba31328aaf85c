import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { objectList } from '../../gateway/answerBody';
import { isRevoked } from '../../gateway/endpoints/apiKeys';
import { line, search } from './search';

/**
 * The API keys of the account, for a resource locator; those that are revoked already look it, and
 * come last.
 *
 * @throws NodeApiError when the keys cannot be read (interface §4.1)
 */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await search(this, filter, {
		request: () => ({ method: 'GET', path: '/v1/apikeys', expected: 'list' }),
		entries(body) {
			const keys = objectList(body).filter((key) => idOf(key).trim() !== '');
			const usable = keys.filter((key) => !isRevoked(key));
			return [...usable, ...keys.filter(isRevoked)].map(toEntry);
		},
	});
}

/** As it is, since it is sent back. */
const idOf = ({ id }: IDataObject): string =>
	typeof id === 'string' || typeof id === 'number' ? `${id}` : '';

/** `Shop · active · sms · …97b0`, `✗ CRM · revoked · chatapp · …e4c1`. n8n shows a name and no more. */
function toEntry(key: IDataObject): INodeListSearchItems {
	const { name, status, channel, masked_key: mask } = key;
	const end = typeof mask === 'string' && mask !== '' ? `…${mask.slice(-4)}` : '';
	return {
		name: `${isRevoked(key) ? '✗ ' : ''}${line(name, status, channel, end)}`,
		value: idOf(key),
	};
}
