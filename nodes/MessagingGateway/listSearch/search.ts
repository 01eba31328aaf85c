import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { AnswerBody } from '../../gateway/answerBody';
import { connect, type Client } from '../../gateway/client';
import { toNodeApiError } from '../../gateway/errors';
import type { NotAccepted } from '../../gateway/outcome';
import type { GatewayRequest } from '../../gateway/request';
import { asLine } from '../../text/quote';

const timeoutMs = 10_000;

interface List {
	request(client: Client): GatewayRequest;
	/** Undefined where the answer has another shape. */
	entries(body: AnswerBody | undefined): INodeListSearchItems[] | undefined;
}

/**
 * A list of the account for a resource locator; its search looks at what is shown.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function search(
	context: ILoadOptionsFunctions,
	filter: string,
	list: List,
): Promise<INodeListSearchResult> {
	const client = await connect(context);
	const request = list.request(client);
	const outcome = client.shown(await client.attempt(request, timeoutMs));
	const fail = (notAccepted: NotAccepted) =>
		toNodeApiError(context.getNode(), client, notAccepted, { request });
	if (outcome.kind !== 'accepted') throw fail(outcome);
	const entries = list.entries(outcome.body);
	if (!entries) throw fail({ kind: 'unknown', reason: { kind: 'unusable' } });
	const wanted = filter.trim().toLowerCase();
	return { results: entries.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}

/** One line of what a record has of these; whatever is no text is left out. */
export const line = (...values: unknown[]): string =>
	values
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map(String)
		.map((text) => asLine(text))
		.filter((text) => text !== '')
		.join(' · ');
