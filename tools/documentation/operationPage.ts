import type { INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { Operation, Resource } from '../../nodes/send/operation';
import { buildProperties } from '../../nodes/MessagingGateway/form';
import { resources } from '../../nodes/MessagingGateway/operations';
import { asSentence } from '../../nodes/text/sentences';
import { makeItemOf } from '../shared/item';
import { describeExchange } from './exchange';
import {
	describeEntered,
	describeFields,
	entriesOf,
	fieldsFor,
	isNotice,
	noticesOf,
	type Selection,
} from './form';
import { endpointOf } from './interface';
import { json, page, paragraphs, plain, table, written } from './markdown';
import type { OperationRun } from './recordings';
import { anyRefusals, describeRefusals, ownRefusals } from './refusals';

const properties = buildProperties(resources);

export const titleOf = (resource: Resource, operation: Operation): string =>
	`${resource.name}: ${operation.name}`;

export const operationFileOf = (resource: Resource, operation: Operation): string =>
	`${resource.value}-${operation.value}.md`;

/** @param runs of the operation */
export async function operationPage(
	resource: Resource,
	operation: Operation,
	runs: OperationRun[],
): Promise<string> {
	const selection = { resource: resource.value, operation: operation.value };
	const fields = fieldsFor(properties, selection);
	const item = await makeItemOf(operation);
	const request = await operation.request(item);
	const endpoints = [...new Set(runs.map(({ exchange }) => endpointOf(exchange)))];
	const own = ownRefusals(request, endpoints);

	return page(
		`# ${titleOf(resource, operation)}`,
		asSentence(plain(operation.description)),
		`In n8n: node **Messaging Gateway**, *Resource* **${resource.name}**, *Operation* **${operation.name}**. [All operations](README.md)`,
		written,
		'## Fields',
		...noticesOf(fields).map((notice) => `> ${notice}`),
		describeOwn(fields, selection),
		...fields
			.filter((field) => entriesOf(field).length > 0)
			.map((field) => describeCollection(field, fields)),
		runs.length > 1 ? '## Examples' : '## Example',
		"Recorded in a real n8n, with a sandbox in place of the service. The sandbox answers as the service's documentation describes, and invents what the documentation leaves open.",
		...runs.map((run, index) => describeOperationRun(run, fields, runs.length > 1 ? index + 1 : 0)),
		'## Troubleshooting',
		repeatable(operation),
		await describeEmpty(operation, fields),
		'What the service may answer, and how the node reports it. With *On Error → Continue*, the output item contains `error`, with these texts as `message` and `hint`.',
		await describeRefusals(operation, request, own),
		'These can happen with any service:',
		await describeRefusals(operation, request, anyRefusals(request)),
	);
}

/** Those that are not in a collection. */
function describeOwn(fields: INodeProperties[], selection: Selection): string {
	const entered = fields.filter((field) => !isNotice(field));
	if (entered.length === 0) return 'None.';
	const hasOnlyOptions = entered.every(({ type }) => type === 'collection');
	return hasOnlyOptions ? 'Only the options below.' : describeFields(fields, selection);
}

const describeCollection = (field: INodeProperties, around: INodeProperties[]): string =>
	[
		`### ${field.displayName}`,
		`Click *${field.placeholder ?? field.displayName}* to add one. Its default applies once it is added.`,
		describeFields(entriesOf(field), {}, around),
	].join('\n\n');

function describeOperationRun(
	run: OperationRun,
	fields: INodeProperties[],
	number: number,
): string {
	const { input, parameters, exchange, output } = run;
	const entered = describeEntered(fields, parameters);
	const [first, ...others] = output;
	return paragraphs(
		number > 0 ? `### ${number}` : undefined,
		entered && 'Values entered; all other fields keep their defaults:',
		entered,
		usesItem(parameters) ? 'Input item:' : undefined,
		usesItem(parameters) ? json(input) : undefined,
		describeExchange(exchange),
		others.length > 0 ? `The first of ${output.length} output items:` : 'Output item:',
		json(first),
	);
}

const usesItem = (parameters: object): boolean =>
	/\$json\b|\.json\./.test(JSON.stringify(parameters));

function repeatable({ idempotent, uncertainty, waits }: Operation): string {
	if (idempotent) {
		return 'Doing this twice does no harm. So the node repeats a request that got no usable answer, as often as *Max Retries* in the credential says.';
	}
	return `A request that got no usable answer may have been carried out, and is **not** repeated${waits ? '' : ' by this node'}: ${uncertainty.mayHave.charAt(0).toLowerCase()}${uncertainty.mayHave.slice(1)}. ${plain(uncertainty.check)}${waits ? ' The execution waits for the answer anyway.' : ''}`;
}

/** The node's message for each required field that is empty. */
async function describeEmpty(operation: Operation, fields: INodeProperties[]): Promise<string> {
	const needed = fields.filter(({ required }) => required);
	const rows = await Promise.all(
		needed.map(async ({ name, type }) => {
			const empty = type === 'resourceLocator' ? { mode: 'id', value: '' } : '';
			const error = await refusalOf(operation, { [name]: empty });
			return error ? [[plain(error.message), plain(error.description ?? '')]] : [];
		}),
	);
	if (rows.flat().length === 0) return '';
	return paragraphs(
		'Checked before anything is sent:',
		table(['message', 'what to do'], rows.flat()),
	);
}

async function refusalOf(
	operation: Operation,
	parameters: Parameters<typeof makeItemOf>[1],
): Promise<NodeOperationError | undefined> {
	const item = await makeItemOf(operation, parameters);
	try {
		await operation.request(item);
		return undefined;
	} catch (error) {
		return error as NodeOperationError;
	}
}
