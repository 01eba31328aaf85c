/** All files that `npm run docs` writes, by path in the repository. */
import { resources } from '../../nodes/MessagingGateway/operations';
import { events } from '../../nodes/MessagingGatewayStatusTrigger/form';
import { exampleTexts } from '../examples';
import { eventPage, eventFileOf } from './eventPage';
import { interfacePage } from './interface';
import { operationFileOf, operationPage } from './operationPage';
import { overview } from './overview';
import { readRecording } from './recordings';
import { schemaFolder, schemaFiles } from './schemas';

/** Folders that contain nothing else: any other file in them is obsolete. */
export const generatedFolders = ['docs/operations', 'docs/events', schemaFolder];

/** @throws Error when an operation or an event has no recorded run */
export async function allPages(): Promise<Map<string, string>> {
	const operations = readRecording('operations');
	const changes = readRecording('events');
	const pages = new Map([
		['docs/interface.md', interfacePage()],
		['docs/operations/README.md', overview(operations)],
		...schemaFiles(operations),
		...exampleTexts(),
	]);
	for (const resource of resources) {
		for (const operation of resource.operations) {
			const runs = operations.filter(
				(run) => run.resource === resource.value && run.operation === operation.value,
			);
			if (runs.length === 0)
				throw new Error(`No run of ${operationFileOf(resource, operation)} is recorded`);
			const page = await operationPage(resource, operation, runs);
			pages.set(`docs/operations/${operationFileOf(resource, operation)}`, page);
		}
	}
	for (const event of events) {
		const runs = changes.filter((run) => run.event === event.value);
		if (runs.length === 0) throw new Error(`No run of ${eventFileOf(event)} is recorded`);
		pages.set(`docs/events/${eventFileOf(event)}`, eventPage(event, runs));
	}
	return pages;
}
