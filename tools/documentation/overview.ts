import type { Operation, Resource } from '../../nodes/send/operation';
import { resources } from '../../nodes/MessagingGateway/operations';
import { events } from '../../nodes/MessagingGatewayStatusTrigger/form';
import { asSentence } from '../../nodes/text/sentences';
import { eventFileOf } from './eventPage';
import { endpointOf, requestLine } from './interface';
import { page, plain, table, written } from './markdown';
import { operationFileOf } from './operationPage';
import type { OperationRun } from './recordings';

/** The first page of the reference. */
export const overview = (runs: OperationRun[]): string =>
	page(
		'# Operations and events',
		'All operations of the **Messaging Gateway** node and all events of the **Messaging Gateway Status Trigger**. Each has a page with its fields, a recorded example, and troubleshooting.',
		written,
		'## Operations',
		table(
			['resource', 'operation', 'what it does', 'request', 'interface'],
			resources.flatMap((resource) =>
				resource.operations.map((operation) => operationRow(resource, operation, runs)),
			),
		),
		"Sections are those of [the service's interface](../interface.md), which is also available as [openapi.yaml](../openapi.yaml).",
		'## Events of the Status Trigger',
		table(
			['event', 'starts the workflow'],
			events.map((event) => [
				`[${plain(event.name)}](../events/${eventFileOf(event)})`,
				asSentence(plain(event.description)),
			]),
		),
		'[The status trigger](../status-trigger.md) explains how it polls. The [webhook trigger](../trigger.md) passes on everything that the service delivers.',
	);

function operationRow(resource: Resource, operation: Operation, runs: OperationRun[]): string[] {
	const exchanges = runs
		.filter((run) => run.resource === resource.value && run.operation === operation.value)
		.map(({ exchange }) => exchange);
	const lines = (of: (exchange: (typeof exchanges)[number]) => string) =>
		[...new Set(exchanges.map(of))].join('\n');
	return [
		plain(resource.name),
		`[${plain(operation.name)}](${operationFileOf(resource, operation)})`,
		asSentence(plain(operation.description)),
		lines((exchange) => requestLine(endpointOf(exchange))),
		lines((exchange) => `§${endpointOf(exchange).section}`),
	];
}
