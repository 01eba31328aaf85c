import { resources } from '../../../nodes/MessagingGateway/operations';
import { sentencesOf } from '../../../nodes/text/sentences';
import { buildProperties } from '../../../nodes/MessagingGateway/form';
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

/** Fields, and those in collections. */
export const flatten = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [property, ...flatten(entriesOf(property))]);

/** Of a collection of any kind. */
function entriesOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

/** Every field of the node's form, those in collections included. */
export const nodeFields = flatten(buildProperties(resources));

/** What the node's screen shows: fields, `Resource: Operation`, and n8n's own buttons. */
export const nodeLabels = [
	...nodeFields.map(({ displayName }) => displayName),
	...resources.flatMap(({ name, operations }) =>
		operations.map((operation) => `${name}: ${operation.name}`),
	),
	'Retry',
];

/** Names of fields and operations in a text: `Check 'Base URL'` → `Base URL`. */
export const namesInQuotes = (text: string | null | undefined): string[] =>
	[...(text ?? '').matchAll(/'([A-Z][^']*)'/g)].map(([, name]) => name!);

/** A text without what it quotes of the service. */
export const withoutQuotations = (text: string): string => text.replace(/"[^"]*"/g, '""');

/** An error has a message and at most three sentences: what became of it, what to do, where to look. */
export function expectThreeSentences(message: string, description?: string | null): void {
	const sentences = [sentencesOf(message), sentencesOf(description ?? '')];
	expect({ sentences, counts: [sentences[0]!.length, sentences[1]!.length <= 3] }).toEqual({
		sentences,
		counts: [1, true],
	});
}
