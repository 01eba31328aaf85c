/** Whatever the fields of an operation hold: nothing wrong leaves, and every item has its end. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { buildProperties } from '../../nodes/MessagingGateway/properties';
import { resources } from '../../nodes/MessagingGateway/operations';
import type { RecordedRequest } from '../../sandbox';
import {
	actionIds,
	actions,
	audioBase64,
	lists,
	to,
	useGateway,
	type ActionId,
} from '../engine/action/support';
import { deduplication } from '../engine/harness';
import { checkSecrets, checkStop, endsOf, secretsOf, shownOf } from './support/checks';
import { Finding, fuzz } from './support/fuzz';
import { anyValue, quickNumber, type Value } from './support/values';

const gateway = useGateway();

/** By operation: the names of its fields, entries of collections as `options.timeout`. */
const fieldsOf = (id: ActionId): string[] => {
	const { resource, operation } = actions[id];
	return buildProperties(resources, resource)
		.filter(
			({ type, displayOptions }) =>
				type !== 'notice' &&
				displayOptions?.show?.operation?.includes(operation) &&
				displayOptions.show.resource?.includes(resource),
		)
		.flatMap(({ type, name, options }) =>
			type === 'collection'
				? (options as INodeProperties[]).map((entry) => `${name}.${entry.name}`)
				: [name],
		);
};

const quick = ['maxConcurrency', 'maxRetries', 'requestsPerSecond', 'timeout', 'limit'];
const isQuick = (field: string) => quick.includes(field.split('.').at(-1)!);

const cases = fc.constantFrom(...actionIds).chain((id) =>
	fc.record({
		id: fc.constant(id),
		itemCount: fc.integer({ min: 1, max: 3 }),
		isBinary: fc.boolean(),
		onError: fc.constantFrom(
			'continueRegularOutput' as const,
			'continueRegularOutput' as const,
			'stopWorkflow' as const,
		),
		fields: fc
			.shuffledSubarray(fieldsOf(id), { maxLength: 3 })
			.chain((fields) =>
				fc.record(
					Object.fromEntries(
						fields.map((field) => [
							field,
							isQuick(field)
								? quickNumber(field === 'options.maxRetries' ? 2 : Infinity)
								: anyValue,
						]),
					),
				),
			) as fc.Arbitrary<Record<string, Value>>,
	}),
);

fuzz('parameters', cases, async ({ id, itemCount, isBinary, onError, fields }) => {
	gateway.sandbox.reset();
	deduplication.reset();
	const items = Array.from({ length: itemCount }, (_, index) => ({
		json: { to, ...valuesOf(fields, index) } as IDataObject,
		binary: { data: { mimeType: 'audio/ogg', data: audioBase64 } },
	}));
	const { options, filters, ...parameters } = parametersOf(fields);
	const running = gateway.run(id, {
		items,
		onError,
		parameters: {
			...(isBinary && id === 'sendAudio' && { audioSource: 'binary' }),
			...(filters && { filters }),
			...parameters,
		},
		options,
	});
	const run = await running.catch(refusedByN8n);
	if (!run) return;
	if (onError === 'stopWorkflow') checkStop(run);
	else endsOf(run, itemCount, lists.includes(id));
	for (const request of gateway.sandbox.requests()) checkRequest(request, Object.keys(fields));
	checkSecrets(secretsOf(gateway.sandbox), ...shownOf(run));
});

/** n8n starts no node in which a required field was left empty. */
function refusedByN8n(error: Error): undefined {
	if (!/node has issues:/.test(error.message)) throw error;
}

/** Each field under a name of its own: `to` is what the base of an operation reads. */
const nameOf = (field: string) => `fuzzed ${field}`;

const valuesOf = (fields: Record<string, Value>, index: number): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([field, value]) =>
			value.kind === 'perItem' ? [[nameOf(field), value.values[index % value.values.length]]] : [],
		),
	);

function parametersOf(fields: Record<string, Value>): Record<string, INodeParameters> {
	const parameters: IDataObject = {};
	for (const [field, value] of Object.entries(fields)) {
		const entered =
			value.kind === 'perItem'
				? `={{ $json["${nameOf(field)}"] }}`
				: value.kind === 'expression'
					? `={{ ${value.text} }}`
					: value.value;
		const [name = '', entry] = field.split('.');
		if (entry)
			parameters[name] = { ...(parameters[name] as object), [entry]: entered } as IDataObject;
		else
			parameters[name] = (
				name === 'keyId' ? { __rl: true, mode: 'id', value: entered } : entered
			) as IDataObject;
	}
	return parameters as Record<string, INodeParameters>;
}

/** The document forbids nothing of it, but for what two options are there to let through. */
function checkRequest({ valid, violations, body, path }: RecordedRequest, fields: string[]): void {
	const isLetThrough = (place: string) =>
		(fields.includes('options.additionalBodyFields') && place.startsWith('body')) ||
		(fields.includes('options.keepNumberAsEntered') && /^body(\.message)?\.to$/.test(place));
	const forbidden = violations.filter(({ loc }) => !isLetThrough(loc.join('.')));
	if (valid || forbidden.length === 0) return;
	throw new Finding(
		'forbidden requests',
		JSON.stringify({ forbidden, path, body }).slice(0, 2_000),
	);
}
