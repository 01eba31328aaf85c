import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { objectList } from '../../gateway/answerBody';
import { idOfKey, isRevoked, listApiKeys } from '../../gateway/endpoints/apiKeys';
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
		request: listApiKeys,
		entries(body) {
			const keys = objectList(body).filter((key) => idOfKey(key) !== '');
			const usable = keys.filter((key) => !isRevoked(key));
			return [...usable, ...keys.filter(isRevoked)].map(toEntry);
		},
	});
}

/** `Shop · active · sms · …97b0`, `✗ CRM · revoked · chatapp · …e4c1`. n8n shows a name and no more. */
function toEntry(key: IDataObject): INodeListSearchItems {
	const { name, status, channel, masked_key: mask } = key;
	const end = typeof mask === 'string' && mask !== '' ? `…${mask.slice(-4)}` : '';
	return {
		name: `${isRevoked(key) ? '✗ ' : ''}${line(name, status, channel, end)}`,
		value: `${key.id}`, // as it is, since it is sent back
	};
}
