import { findOperation, resources } from '../../nodes/MessagingGateway/operations';
import { addressOf } from './exchange';
import { endpointOf } from './interface';
import { code, page, table } from './markdown';
import { written } from './notice';
import { fileOf, titleOf } from './operationPage';
import type { OperationRun } from './recordings';

/** All requests on one page, to compare them with a service. */
export const requestsPage = (runs: OperationRun[]): string =>
	page(
		'# Requests on the wire',
		'What each operation sends, recorded from a real n8n. Every request is valid against [openapi.yaml](openapi.yaml). The [operation pages](operations/README.md) also show the answers.',
		written,
		table(['operation', 'interface', 'request', 'headers', 'body'], runs.map(rowOf)),
	);

function rowOf({ resource: value, operation: name, exchange }: OperationRun): string[] {
	const resource = resources.find((each) => each.value === value)!;
	const operation = findOperation(value, name)!;
	const { method, headers, body } = exchange;
	return [
		`[${titleOf(resource, operation)}](operations/${fileOf(resource, operation)})`,
		`§${endpointOf(exchange).section}`,
		code(`${method} ${addressOf(exchange)}`),
		Object.entries(headers)
			.map(([header, text]) => code(`${header}: ${text}`))
			.join('\n'),
		body === null ? '–' : code(JSON.stringify(body)),
	];
}
