import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { objectList } from '../../shared/answer';
import { toText } from '../../shared/toText';
import { line, search } from './search';

/**
 * The API keys of the account, for a resource locator: name, channel, masked key and status.
 *
 * @throws NodeApiError when the keys cannot be read (interface §4.1)
 */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	return await search(this, filter, {
		request: () => ({ method: 'GET', path: '/v1/apikeys', expected: 'list' }),
		entries: (body) =>
			objectList(body).map((key) => ({ name: describe(key), value: toText(key.id) })),
	});
}

const describe = ({ name, channel, masked_key, status }: IDataObject): string =>
	line(name, channel, masked_key, status);
