import type { Operation, Resource } from '../nodes/MessagingGateway/operation';
import { resources } from '../nodes/MessagingGateway/operations';
import { events } from '../nodes/MessagingGatewayStatusTrigger/events';
import { asSentence } from '../nodes/text/sentence';
import { fileOf as eventFileOf } from './eventPage';
import { endpointOf } from './interface';
import { code, page, plain, table } from './markdown';
import { written } from './notice';
import { fileOf } from './operationPage';
import type { OperationRun } from './recordings';

/** The first page of the reference: all operations and events. */
export const overview = (runs: OperationRun[]): string =>
	page(
		'# Operations and events',
		'What each operation of the node **Messaging Gateway** is for, and each event of the **Messaging Gateway Status Trigger**. The pages show their fields, an example that was run, and what is said when something does not work.',
		written,
		'## Operations',
		table(
			['resource', 'operation', 'what it is for', 'request', 'interface'],
			resources.flatMap((resource) =>
				resource.operations.map((operation) => operationRow(resource, operation, runs)),
			),
		),
		"Sections are those of the service's interface document; [openapi.yaml](../openapi.yaml) holds it in a form that programs read, and [all requests](../requests.md) stand on one page.",
		'## Events of the Status Trigger',
		table(
			['event', 'starts the workflow'],
			events.map((event) => [
				`[${plain(event.name)}](../events/${eventFileOf(event)})`,
				asSentence(plain(event.description)),
			]),
		),
		'[How the Status Trigger looks](../status-trigger.md) is the same for all of them. The [trigger for the webhook](../trigger.md) passes on whatever the service delivers.',
	);

function operationRow(resource: Resource, operation: Operation, runs: OperationRun[]): string[] {
	const exchanges = runs
		.filter((run) => run.resource === resource.value && run.operation === operation.value)
		.map(({ exchange }) => exchange);
	const lines = (of: (exchange: (typeof exchanges)[number]) => string) =>
		[...new Set(exchanges.map(of))].join('\n');
	return [
		plain(resource.name),
		`[${plain(operation.name)}](${fileOf(resource, operation)})`,
		asSentence(plain(operation.description)),
		lines((exchange) => code(`${exchange.method} ${endpointOf(exchange).template}`)),
		lines((exchange) => `§${endpointOf(exchange).section}`),
	];
}
