import { endpointOf } from './interface';
import { fenced, json, paragraphs } from './markdown';
import type { Exchange } from './recordings';

/** A request and its answer. */
export function describeExchange(exchange: Exchange): string {
	const { answer } = exchange;
	return paragraphs(
		`The request of the node (§${endpointOf(exchange).section} of the service's interface):`,
		fenced('http', requestOf(exchange)),
		answer.body === null
			? `The answer has status ${answer.status} and no body.`
			: `The answer, status ${answer.status}:`,
		answer.body === null ? undefined : json(shortened(answer.body)),
	);
}

function requestOf({ method, headers, body, ...request }: Exchange): string {
	const lines = [
		`${method} ${addressOf(request)}`,
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
	];
	return body === null
		? lines.join('\n')
		: `${lines.join('\n')}\n\n${JSON.stringify(body, null, 2)}`;
}

/** Path and query. */
function addressOf({ path, query }: Pick<Exchange, 'path' | 'query'>): string {
	const search = new URLSearchParams(query).toString();
	return search ? `${path}?${search}` : path;
}

/** Entries shown of a list; the rest is counted. */
const maxEntries = 2;

function shortened(value: unknown): unknown {
	if (Array.isArray(value)) {
		const shown = value.slice(0, maxEntries).map(shortened);
		return value.length > maxEntries
			? [...shown, `… and ${value.length - maxEntries} more`]
			: shown;
	}
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shortened(entry)]));
}
