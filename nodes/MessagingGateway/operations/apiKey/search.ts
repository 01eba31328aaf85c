import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchList, joinLine, shortId } from '../../../form/search';
import { listApiKeys } from '../../../service/endpoints/apiKeys';
import { objectList } from '../../../text/json';
import { textOf } from '../../../text/text';

/**
 * Lists API keys for a resource locator, e.g. `Shop · active · sms · …97b0`: n8n shows only a name.
 *
 * @throws NodeApiError when the keys cannot be read (interface §4.1)
 */
export async function searchApiKeys(this: ILoadOptionsFunctions, filter = '') {
	return await searchList(this, filter, listApiKeys, (body) =>
		objectList(body)
			.filter(({ id }) => textOf(id) !== '')
			.map(({ id, name, status, channel, masked_key: mask }) => ({
				name: joinLine(name, status, channel, shortId(mask)),
				value: `${id}`, // unchanged, since it is sent back
			})),
	);
}
