import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { connect, type Client } from '../service/client';
import type { AnswerBody } from '../service/outcome';
import type { GatewayRequest } from '../service/request';
import { toNodeApiError } from '../service/requestError';
import { asLine } from '../text/quote';
import { textOf } from '../text/values';

const listTimeoutMs = 10_000;

/** Reads a list for a resource locator, and filters it by name and ID. @throws NodeApiError when it cannot be read */
export async function searchList(
	context: ILoadOptionsFunctions,
	filter: string,
	requestOf: (client: Client) => GatewayRequest,
	entriesOf: (body: AnswerBody | undefined) => INodeListSearchItems[],
) {
	const client = await connect(context);
	const request = requestOf(client);
	const outcome = client.shown(await client.attempt(request, listTimeoutMs));
	if (outcome.kind !== 'accepted')
		throw toNodeApiError(context.getNode(), client, outcome, { request });
	const wanted = filter.trim().toLowerCase();
	const isWanted = ({ name, value }: INodeListSearchItems) =>
		[name, `${value}`].some((text) => text.toLowerCase().includes(wanted));
	return { results: entriesOf(outcome.body).filter(isWanted) };
}

/** Returns the last characters of an ID, by which a person tells it from others: `…97b0`. */
export const abbreviateId = (id: unknown): string | undefined =>
	typeof id === 'string' && id !== '' ? `…${id.slice(-4)}` : undefined;

/** Joins texts and numbers into one line; leaves out anything else. */
export const joinLine = (...values: unknown[]): string =>
	values
		.map((value) => asLine(textOf(value)))
		.filter(Boolean)
		.join(' · ');
