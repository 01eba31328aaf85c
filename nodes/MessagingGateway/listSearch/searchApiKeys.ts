import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { connect } from '../../shared/client';
import { toNodeApiError } from '../../shared/explain';
import { objectList } from '../../shared/answer';
import { advice } from '../advice';

const timeoutMs = 10_000;

/**
 * The API keys of the account, for a resource locator: name, channel, masked key and status.
 *
 * @throws NodeApiError when the keys cannot be read (interface §4.1)
 */
export async function searchApiKeys(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const client = await connect(this);
	const outcome = await client.attempt(
		{ method: 'GET', path: '/v1/apikeys', expected: 'list' },
		timeoutMs,
	);
	if (outcome.kind !== 'accepted') {
		throw toNodeApiError(this.getNode(), client, outcome, { advice });
	}

	const wanted = filter.trim().toLowerCase();
	return {
		results: objectList(outcome.body)
			.map((key) => ({ name: describe(key), value: String(key.id) }))
			.filter(({ name }) => name.toLowerCase().includes(wanted)),
	};
}

const describe = ({ name, channel, masked_key, status }: IDataObject): string =>
	[name, channel, masked_key, status].filter(Boolean).join(' · ');
