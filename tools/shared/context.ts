import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { NodeOperationError } from 'n8n-workflow';
import type {
	DeduplicationHelperFunctions,
	IBinaryData,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeParameters,
} from 'n8n-workflow';

import { audioFile } from './operations';

export const node: INode = {
	id: 'node-1',
	name: 'Messaging Gateway',
	type: 'messagingGateway',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export const credential = {
	baseUrl: 'https://gateway.example',
	apiKey: 'key-4f1c9a7e52b84d03',
	chatApp: true,
	instanceToken: 'token-93be01d7c6a2f458',
	chatAppName: 'chatapp',
	defaultCountryCode: '55',
} satisfies ICredentialDataDecryptedObject;

export interface ContextOptions {
	/** The parameters of each item, with expressions evaluated. Default: one item without any. */
	items?: IDataObject[];
	/** Differences from the node above, e.g. its type when an agent uses it. */
	node?: Partial<INode>;
	/** The node's own, with expressions as entered. Default: none. */
	parameters?: INodeParameters;
	credential?: ICredentialDataDecryptedObject;
	timezone?: string;
	/** Files of every item, by field name. Default: an audio file in `data`. */
	files?: Record<string, IBinaryData>;
	/** The content of n8n's file store, by id. */
	stored?: Record<string, Buffer>;
	continueOnFail?: boolean;
	deduplication?: Partial<DeduplicationHelperFunctions>;
	/** Sends an authenticated request. Default: throws. */
	http?: (
		credential: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	) => Promise<unknown>;
}

/** Returns the value of a parameter, e.g. of `options.dryRun`. */
export const valueAt = (parameters: unknown, path: string): unknown =>
	path
		.split('.')
		.reduce((value, key) => (value as IDataObject | undefined)?.[key] as unknown, parameters);

/** The part of n8n's execute context that this package uses. */
export function makeContext({
	items = [{}],
	node: difference = {},
	parameters = {},
	credential: credentialData = credential,
	timezone = 'America/Sao_Paulo',
	files = audioFile,
	stored = {},
	continueOnFail = false,
	deduplication = {},
	http = async () => {
		throw new Error('Nothing may be sent here');
	},
}: ContextOptions = {}): IExecuteFunctions {
	const ofNode: IDataObject = {};
	const input = items.map((json) => ({ json }));
	const { signal } = new AbortController();
	const context = {
		logger: { warn() {} },
		getMode: () => 'trigger',
		getContext: () => ofNode,
		getExecutionId: () => '1',
		getInstanceId: () => 'instance-1',
		getInstanceBaseUrl: () => 'https://n8n.example/',
		getNode: () => ({ ...node, ...difference, parameters }),
		getWorkflow: () => ({ id: 'workflow-1' }),
		getWorkflowSettings: () => ({}),
		getWorkflowDataProxy: () => ({
			$runIndex: 0,
			$node: { [node.name]: { runIndex: 0 } },
			$prevNode: { name: 'Before' },
			$items: () => [],
		}),
		getParentNodes: () => [],
		getSignedResumeUrl: (query: Record<string, string>) =>
			`https://n8n.example/webhook-waiting/1/${node.id}?${new URLSearchParams(query).toString()}&signature=0`,
		getInputData: () => input,
		connectionInputData: input,
		getTimezone: () => timezone,
		getCredentials: async () => credentialData,
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => continueOnFail,
		getNodeParameter(
			name: string,
			item: number,
			fallback?: unknown,
			options?: { extractValue?: boolean },
		) {
			const value = valueAt(items[item], name) ?? fallback;
			if (value === undefined) throw new Error(`Could not get parameter '${name}'`);
			return options?.extractValue ? ((value as IDataObject).value ?? value) : value;
		},
		helpers: {
			...deduplication,
			async httpRequestWithAuthentication(
				this: IExecuteFunctions,
				_type: string,
				options: IHttpRequestOptions,
				{ credentialsDecrypted }: { credentialsDecrypted: ICredentialsDecrypted },
			) {
				options.abortSignal = this.getExecutionCancelSignal(); // n8n replaces it, too
				return await http(credentialsDecrypted.data as ICredentialDataDecryptedObject, options);
			},
			assertBinaryData(itemIndex: number, name: string) {
				if (files[name]) return files[name];
				throw new NodeOperationError(node, `This operation expects a file '${name}'`, {
					itemIndex,
				});
			},
			createBinarySignedUrl: ({ id }: IBinaryData) =>
				`https://n8n.example/rest/binary-data/signed?token=${id}-${randomUUID()}`,
			async getBinaryDataBuffer(_item: number, name: string) {
				const { id, data } = files[name]!;
				return id ? stored[id]! : Buffer.from(data, 'base64');
			},
			getBinaryMetadata: async (id: string) => ({ fileSize: stored[id]!.length }),
			getBinaryStream: async (id: string) => Readable.from([stored[id]!], { objectMode: false }),
			prepareBinaryData: async (_: Readable, fileName?: string, mimeType = '') => ({
				id: `filesystem-v2:workflows/workflow-1/executions/1/binary_data/copy-of-${fileName}`,
				data: 'filesystem-v2',
				mimeType,
				fileName,
			}),
		},
	};
	return context as unknown as IExecuteFunctions;
}
