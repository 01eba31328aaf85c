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

interface Parameter {
	name: string;
	in: 'path' | 'query' | 'header';
	required: boolean;
	schema: object;
}

interface DocumentOperation {
	operationId: OperationId;
	parameters?: Array<Parameter | Reference>;
	requestBody?: { content: { 'application/json': { schema: Reference } } };
}

type Method = 'get' | 'post' | 'delete';

/** The parts of `docs/openapi.yaml` that the sandbox uses. */
export interface InterfaceDocument {
	paths: Record<string, Partial<Record<Method, DocumentOperation>>>;
	components: {
		parameters: Record<'CampaignId' | 'ApiKeyStatus' | 'InstanceToken', Parameter>;
		schemas: { AudioMessageRequest: { properties: Record<string, object> } };
	};
}

export interface Operation {
	id: OperationId;
	method: Method;
	/** As in the document: `/v1/apikeys/{key_id}`. */
	path: string;
	parameters: Parameter[];
	/** Reference to the schema of the request body. */
	body?: string;
}

/** Reads the interface and fills in the names that it leaves open. */
export function loadDocument(names: Names): InterfaceDocument {
	const file = join(__dirname, '../../docs/openapi.yaml');
	const document = parse(readFileSync(file, 'utf8')) as InterfaceDocument;
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

/** All operations, with references to parameters resolved. */
export function operationsOf(document: InterfaceDocument): Operation[] {
	return Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({
			id: operation.operationId,
			method: method as Method,
			path,
			parameters: (operation.parameters ?? []).map((parameter) => resolve(document, parameter)),
			body: operation.requestBody?.content['application/json'].schema.$ref,
		})),
	);
}

function resolve(document: InterfaceDocument, parameter: Parameter | Reference): Parameter {
	if (!('$ref' in parameter)) return parameter;
	const name = parameter.$ref.split('/').at(-1) as keyof typeof document.components.parameters;
	return document.components.parameters[name];
}

function renameKeys<T>(record: Record<string, T>, rename: (key: string) => string) {
	return Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]));
}
