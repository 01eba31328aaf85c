import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Names, OperationId } from './types';

export const DEFAULT_NAMES: Names = {
	chatAppName: 'chatapp',
	campaignIdParameter: 'campaignId',
	keyStatusParameter: 'status',
	audioScheduleField: 'scheduled_at',
};

interface Reference {
	$ref: string;
}

/** A place of the document that the interface leaves open. */
interface OpenPlace {
	'x-not-shown'?: string;
}

interface Parameter extends OpenPlace {
	name: string;
	in: 'path' | 'query' | 'header';
	required: boolean;
	schema: object;
	example?: string;
}

interface DocumentBody {
	content: { 'application/json': { schema: Partial<Reference>; example?: unknown } };
}

interface Response extends OpenPlace, DocumentBody {
	'x-error-messages'?: string[];
}

interface DocumentOperation extends OpenPlace {
	operationId: OperationId;
	tags: string[];
	summary: string;
	description: string;
	parameters?: Array<Parameter | Reference>;
	requestBody?: DocumentBody;
	responses: Record<'2XX' | 'default', Response | Reference>;
}

type Method = 'get' | 'post' | 'delete';

/** The parts of `docs/openapi.yaml` that the tools use. */
export interface InterfaceDocument {
	paths: Record<string, Partial<Record<Method, DocumentOperation>>>;
	components: {
		parameters: Record<'CampaignId' | 'ApiKeyStatus' | 'InstanceToken', Parameter>;
		schemas: Record<
			'SmsRequest' | 'MediaMessage' | 'AudioMessageRequest',
			{ properties: Record<string, object> }
		>;
	};
}

/** The ID of a new message in the document's examples. */
export const EXAMPLE_ID = '7d2e8f0b-58d4-4c6b-9a51-000000000001';

const documentFile = join(__dirname, '../../docs/openapi.yaml');
const asWritten = parse(readFileSync(documentFile, 'utf8')) as InterfaceDocument;

/** The interface, with the names that it leaves open filled in. */
export function loadDocument(names: Names): InterfaceDocument {
	const document = structuredClone(asWritten);
	document.paths = renameKeys(document.paths, (path) =>
		path.replace(/^\/v2\/chatapp\//, `/v2/${names.chatAppName}/`),
	);
	const { parameters, schemas } = document.components;
	parameters.CampaignId.name = names.campaignIdParameter;
	parameters.ApiKeyStatus.name = names.keyStatusParameter;
	const audio = schemas.AudioMessageRequest;
	const renamed: Record<string, string> = {
		chatapp_mode: `${names.chatAppName}_mode`,
		scheduled_at: names.audioScheduleField,
	};
	audio.properties = renameKeys(audio.properties, (field) => renamed[field] ?? field);
	return document;
}

/** All operations, with references resolved. */
export const operationsOf = (document: InterfaceDocument) =>
	Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, described]) => ({
			method: method as Method,
			/** The path as in the document: `/v1/apikeys/{key_id}`. */
			path,
			...resolveOperation(document, described),
		})),
	);

export type Operation = ReturnType<typeof operationsOf>[number];

/** The operations, with the document's own names. */
export const OPERATIONS = operationsOf(asWritten);

function resolveOperation(document: InterfaceDocument, described: DocumentOperation) {
	const { description, requestBody, responses } = described;
	const [, section = '', notes = ''] = /^§([\d.]*\d)\.? *(.*)$/s.exec(description) ?? [];
	const parameters = (described.parameters ?? []).map((each) => resolve(document, each));
	const success = resolve(document, responses['2XX']);
	const refusal = resolve(document, responses.default);
	const body = requestBody?.content['application/json'];
	return {
		id: described.operationId,
		parameters,
		/** Reference to the schema of the request body. */
		body: body?.schema.$ref,
		/** The examples of both bodies. */
		request: body?.example,
		answer: success.content['application/json'].example,
		/** Whether it takes a message to a person. */
		isSend: described.tags.includes('Messages'),
		/** Whether it is of the chat app: it asks for the instance token. */
		usesInstance: parameters.some(({ name }) => name === 'X-Instance-Token'),
		/** The section of docs/interface.md, e.g. `4.5`, with its title and text. */
		section,
		summary: described.summary,
		notes,
		open: [described, ...parameters, success, refusal].flatMap(
			(place: OpenPlace) => place['x-not-shown'] ?? [],
		),
		/** Its texts in §7, and whether it may answer with a validation error instead. */
		errorTexts: refusal['x-error-messages'] ?? [],
		validates: JSON.stringify(refusal.content).includes('/ValidationError"'),
	};
}

/** `#/components/parameters/CampaignId` → what it refers to. */
function resolve<T extends object>(document: InterfaceDocument, part: T | Reference): T {
	if (!('$ref' in part)) return part;
	const [, ...keys] = part.$ref.split('/');
	return keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}

function renameKeys<T>(record: Record<string, T>, rename: (key: string) => string) {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]));
}
