import { readFileSync } from 'node:fs';
import path from 'node:path';

import { statusTriggerProperties } from '../../nodes/MessagingGatewayStatusTrigger/form';
import { recordsIn } from '../../nodes/MessagingGatewayStatusTrigger/failures';
import type { Poll, StatusEvent } from '../../nodes/MessagingGatewayStatusTrigger/statusEvent';
import type { AnswerBody, Outcome } from '../../nodes/service/outcome';
import { accountOf } from '../../nodes/account/account';
import { ownerOfNode } from '../../nodes/n8n/errors';
import { asSentence } from '../../nodes/text/sentences';
import { credential, node } from '../shared/context';
import { describeExchange } from './exchange';
import { describeEntered, describeFields, entriesOf, fieldsFor } from './form';
import { endpointOf } from './interface';
import { json, page, paragraphs, plain, table, written } from './markdown';
import type { EventRun } from './recordings';
import { anyRefusals, client, ownRefusals } from './refusals';

export const eventFileOf = ({ value }: Pick<StatusEvent, 'value'>): string => `${value}.md`;

/** @param runs of the event */
export function eventPage(event: StatusEvent, runs: EventRun[]): string {
	const fields = fieldsFor(statusTriggerProperties, { event: event.value });
	return page(
		`# ${plain(event.name)}`,
		asSentence(plain(event.description)),
		`In n8n: node **Messaging Gateway Status Trigger**, *Trigger On* **${plain(event.name)}**. [All events](../operations/README.md#events-of-the-status-trigger)`,
		written,
		'## What counts as a change',
		rulesOf(event),
		'The first poll starts nothing. From then on, each change starts the workflow once. The rules that all events share are in [The status trigger](../status-trigger.md).',
		'## Fields',
		describeFields(fields, { event: event.value }),
		...fields
			.filter((field) => entriesOf(field).length > 0)
			.map((field) => paragraphs(`### ${field.displayName}`, describeFields(entriesOf(field)))),
		'## Example',
		"Recorded in n8n's own engine, with a sandbox in place of the service. The sandbox answers as the service's documentation describes, and invents what the documentation leaves open.",
		...runs.map((run) => describeEventRun(run, fields)),
		'## Troubleshooting',
		'A failed poll loses no changes: the next successful poll reports them. You see one failed execution, however long the failure lasts.',
		describeFailures(event, runs),
	);
}

/** The comment above the event in the code. */
function rulesOf({ value }: StatusEvent): string {
	const file = path.join(
		__dirname,
		'../../nodes/MessagingGatewayStatusTrigger/events',
		`${value}.ts`,
	);
	const [, comment] =
		new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\s*export const ${value}\\b`, 's').exec(
			readFileSync(file, 'utf8'),
		) ?? [];
	if (!comment)
		throw new Error(`${file} has no comment above '${value}' that says what counts as a change`);
	const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
	return plain(text);
}

function describeEventRun(
	{ parameters, exchanges, output }: EventRun,
	fields: Parameters<typeof describeEntered>[0],
): string {
	const which = output.length > 1 ? `first of ${output.length} output items` : 'output item';
	return paragraphs(
		describeEntered(fields, parameters),
		...exchanges.map(describeExchange),
		`The state has changed since the last poll. The ${which}:`,
		json(output[0]),
	);
}

/** The node's message for each failure. */
function describeFailures(event: StatusEvent, runs: EventRun[]): string {
	const poll: Poll = {
		node,
		event,
		settings: { channel: 'chatApp', campaignIds: ['c1'], statuses: [], simplify: true },
		client: Object.assign(accountOf(credential), client) as Poll['client'],
		...ownerOfNode(node),
	};
	const [source] = event.sources(poll);
	if (!source) return '';
	const endpoints = runs.flatMap(({ exchanges }) => exchanges.map(endpointOf));
	const cases = [...ownRefusals(source.request, endpoints), ...anyRefusals(source.request)];
	const rows = cases.flatMap(({ answer, outcome }) => {
		if (outcome.kind === 'accepted') return [];
		const found = recordsIn(poll, source, source.request.judge?.(outcome) ?? outcome);
		if (Array.isArray(found)) return [[answer, 'nothing: this is a valid answer', '']];
		const { message, description } = found.error;
		return [[answer, plain(message), plain(description ?? '')]];
	});
	const incomplete: AnswerBody[] = [{}, { campaigns: [] }, { campaigns: [{}] }, [{}]];
	const problems = incomplete.flatMap((body) => {
		const answered: Outcome = { kind: 'accepted', body };
		const found = recordsIn(poll, source, source.request.judge?.(answered) ?? answered);
		return Array.isArray(found) ? [] : [found.error];
	});
	const absent = new Map(problems.map((problem) => [problem.message, problem])).values();
	const incompleteRows = [...absent].map(({ message, description }) => [
		'incomplete data',
		plain(message),
		plain(description ?? ''),
	]);
	return table(['answer', 'message', 'what to do'], [...rows, ...incompleteRows]);
}
