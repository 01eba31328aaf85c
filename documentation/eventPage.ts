import { readFileSync } from 'node:fs';
import path from 'node:path';
import { properties } from '../nodes/MessagingGatewayStatusTrigger/form';
import { recordsIn } from '../nodes/MessagingGatewayStatusTrigger/poll';
import type {
	Problem,
	Poll,
	StatusEvent,
} from '../nodes/MessagingGatewayStatusTrigger/statusEvent';
import type { AnswerBody } from '../nodes/gateway/answerBody';
import { accountOf, openNameDefaults as names } from '../nodes/gateway/account';
import { ownedBy } from '../nodes/gateway/owner';
import { asSentence } from '../nodes/text/sentence';
import { node } from '../testing/context';
import { describeExchange } from './exchange';
import { describeEntered, describeFields, entriesOf, fieldsFor } from './form';
import { endpointOf } from './interface';
import { json, page, paragraphs, plain, table } from './markdown';
import { written } from './notice';
import type { EventRun } from './recordings';
import { anyRefusals, client, ownRefusals } from './refusals';

export const fileOf = ({ value }: Pick<StatusEvent, 'value'>): string => `${value}.md`;

/** @param runs those of the event */
export function eventPage(event: StatusEvent, runs: EventRun[]): string {
	const fields = fieldsFor(properties, { event: event.value });
	return page(
		`# ${plain(event.name)}`,
		asSentence(plain(event.description)),
		`In n8n: node **Messaging Gateway Status Trigger**, *Trigger On* **${plain(event.name)}**. [All events](../operations/README.md#events-of-the-status-trigger)`,
		written,
		'## What counts as a change',
		rulesOf(event),
		'The first look starts nothing; from then on each change starts the workflow once. [How the Status Trigger looks](../status-trigger.md) has the rules that all events share.',
		'## Fields',
		describeFields(fields, { event: event.value }),
		...fields
			.filter((field) => entriesOf(field).length > 0)
			.map((field) => paragraphs(`### ${field.displayName}`, describeFields(entriesOf(field)))),
		'## Example',
		"Run in n8n's own engine, with a stand-in of the service that answers as its documentation says. What the documentation does not show, it makes up.",
		...runs.map((run) => describeRun(run, fields)),
		'## When it does not work',
		'A look that fails changes nothing. It is said once, as a failed execution; what has changed meanwhile is told by the next look that succeeds.',
		describeFailures(event, runs),
	);
}

/** What the code says of it above the event. */
function rulesOf({ value }: StatusEvent): string {
	const file = path.join(__dirname, '../nodes/MessagingGatewayStatusTrigger/events', `${value}.ts`);
	const [, comment] =
		new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\s*export const ${value}\\b`, 's').exec(
			readFileSync(file, 'utf8'),
		) ?? [];
	if (!comment) throw new Error(`${file} does not say above '${value}' what counts as a change`);
	const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
	return plain(text);
}

function describeRun(
	{ parameters, exchanges, output }: EventRun,
	fields: Parameters<typeof describeEntered>[0],
): string {
	const [first, ...others] = output;
	return paragraphs(
		describeEntered(fields, parameters),
		...exchanges.map(describeExchange),
		others.length > 0
			? `Before, things stood otherwise. The first of the ${output.length} items that come out:`
			: 'Before, things stood otherwise. The item that comes out:',
		json(first),
	);
}

/** What the node says of each answer that tells nothing. */
function describeFailures(event: StatusEvent, runs: EventRun[]): string {
	const poll: Poll = {
		node,
		event,
		settings: { channel: 'chatApp', campaignIds: 'c1', statuses: '', simplify: true },
		client: client as Poll['client'],
		accountDigest: '',
		instanceDigest: '',
		...ownedBy(node),
		...accountOf(ownedBy(node), { names, hasInstanceToken: true }),
	};
	const [source] = event.sources(poll);
	if (!source) return '';
	const endpoints = runs.flatMap(({ exchanges }) => exchanges.map(endpointOf));
	const cases = [
		...ownRefusals(
			source.request,
			[...new Set(endpoints.flatMap(({ errorTexts }) => errorTexts))],
			endpoints.some(({ validates }) => validates),
		),
		...anyRefusals(source.request),
	];
	const rows = cases.flatMap(({ service, outcome }) => {
		if (outcome.kind === 'accepted') return [];
		const found = recordsIn(poll, source, outcome);
		if (Array.isArray(found)) return [[service, 'nothing: this is an answer, too', '']];
		const { message, description } = found.error;
		return [[service, plain(message), plain(description ?? '')]];
	});
	const incomplete: AnswerBody[] = [{}, { campaigns: [{}] }, [{}]];
	const problems = incomplete
		.map((body) => event.records(body, source))
		.filter((found): found is Problem => !Array.isArray(found));
	const absent = new Map(problems.map((problem) => [problem.message, problem])).values();
	return table(
		['the service', 'the node says', 'and what to do'],
		[
			...rows,
			...[...absent].map(({ message, description }) => [
				'answers without it',
				plain(message),
				plain(description ?? ''),
			]),
		],
	);
}
