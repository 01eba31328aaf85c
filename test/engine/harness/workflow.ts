import { logs } from './instance';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type IDataObject,
	type INode,
	type INodeParameters,
	type IWorkflowBase,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { buildAdditionalData } from './additionalData';
import { CredentialsHelper } from './credentials';
import { fullName, loadPackage, nodeTypes, register } from './types';

/** A trigger asks who answers at its address: nothing does at this port, whatever else is running. */
const nobodysUrl = 'http://localhost:1';

/** A node, and the workflow that it is in. */
export interface NodeOptions {
	/** Default `messagingGateway`. */
	node?: string;
	parameters?: INodeParameters;
	/** Data of the node's first credential; without it the node has none. */
	credential?: ICredentialDataDecryptedObject;
	onError?: INode['onError'];
	/** Up to three tries, 1 ms apart. */
	retryOnFail?: boolean;
	/** Default: the node's default name. */
	name?: string;
	/** The node's id and webhook id follow from it. */
	workflowId?: string;
	/** Another webhook id, as an imported workflow brings it. */
	webhookId?: string;
	/** Default: that of a new execution. */
	executionId?: string;
	/** The workflow's time zone; default that of the instance, `America/New_York`. */
	timezone?: string;
	/** The workflow's stored static data, replaced in place when n8n would save it. */
	staticData?: IDataObject;
	/** Whether it is published; n8n runs a test in a workflow that is not. */
	active?: boolean;
	/** What workflows that the node calls make of their items. Default: none can be called. */
	subWorkflow?: (items: IDataObject[], id?: string) => Promise<IDataObject[]>;
	/** Where n8n believes to be reachable: WEBHOOK_URL. Default: where nothing answers. */
	instanceUrl?: string;
	/** N8N_EDITOR_BASE_URL. Default: as the instance URL. */
	editorUrl?: string;
	/** The id of the n8n that it runs in. Default: n8n-core's own. */
	instanceId?: string;
	/** N8N_ENDPOINT_WEBHOOK; that of tests is called `<endpoint>-test`. */
	endpoint?: string;
}

/** The first node of every workflow; its pinned data is what the node under test receives. */
export const ITEMS = 'Items';
const itemsNode: INode = {
	id: 'items',
	name: ITEMS,
	type: fullName('items'),
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

let loaded: Promise<void> | undefined;

/** Builds what n8n's server hands to n8n-core: the workflow and the additional data. */
export async function prepare(options: NodeOptions, mode: WorkflowExecuteMode) {
	await (loaded ??= loadPackage());
	const firstLog = logs.length;
	const workflowId = options.workflowId ?? 'workflow-1';
	const type = fullName(options.node ?? 'messagingGateway');
	const nodeType = nodeTypes.getByNameAndVersion(type);
	const { credentials, defaults, version } = nodeType.description;

	const node: INode = {
		id: `${workflowId}-node`,
		name: options.name ?? String(defaults.name),
		type,
		typeVersion: Math.max(...[version].flat()),
		position: [200, 0],
		parameters: structuredClone(options.parameters ?? {}),
		webhookId: options.webhookId ?? `${workflowId}-webhook`,
	};
	if (options.onError) node.onError = options.onError;
	// n8n takes 0 for its default of one second.
	if (options.retryOnFail) Object.assign(node, { retryOnFail: true, waitBetweenTries: 1 });
	if (options.credential && credentials?.[0]) {
		node.credentials = { [credentials[0].name]: { id: '1', name: 'Account' } };
	}

	const workflowData: IWorkflowBase = {
		id: workflowId,
		name: 'Engine Test',
		active: options.active ?? false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [itemsNode, node],
		connections: { [ITEMS]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', ...(options.timezone && { timezone: options.timezone }) },
		staticData: structuredClone(options.staticData ?? {}),
	};
	const workflow = new Workflow({ ...workflowData, nodeTypes });
	const credentialsHelper = new CredentialsHelper(options.credential ?? {});
	const additionalData = buildAdditionalData(
		credentialsHelper as Partial<ICredentialsHelper> as ICredentialsHelper,
		mode,
		workflowData,
		options.instanceUrl ?? nobodysUrl,
	);
	if (options.editorUrl) additionalData.instanceBaseUrl = options.editorUrl;
	if (options.endpoint) {
		const { instanceBaseUrl } = additionalData;
		additionalData.webhookBaseUrl = instanceBaseUrl + options.endpoint;
		additionalData.webhookTestBaseUrl = `${instanceBaseUrl}${options.endpoint}-test`;
	}
	if (options.executionId) additionalData.executionId = options.executionId;
	const { subWorkflow } = options;
	if (subWorkflow) {
		additionalData.executeWorkflow = async ({ id }, __, { inputData = [] }) => {
			const items = inputData.map(({ json }) => json);
			const outputs = await subWorkflow(items, id);
			const data = [outputs.map((json) => ({ json }))];
			return { executionId: '2', data };
		};
	}

	return {
		workflow,
		node,
		nodeType,
		additionalData,
		credentialReads: () => credentialsHelper.reads,
		logs: () => logs.slice(firstLog),
		/** What n8n does after a successful lifecycle call and after each delivery. */
		saveStaticData() {
			if (!options.staticData || workflow.staticData.__dataChanged !== true) return;
			for (const key of Object.keys(options.staticData)) delete options.staticData[key];
			Object.assign(options.staticData, JSON.parse(JSON.stringify(workflow.staticData)));
		},
	};
}

/** A context as another n8n has it. */
export function inInstance<T extends { getInstanceId(): string }>(
	context: T,
	{ instanceId }: NodeOptions,
): T {
	if (instanceId) context.getInstanceId = () => instanceId;
	return context;
}

register({
	description: {
		displayName: 'Items',
		name: 'items',
		group: ['input'],
		version: 1,
		description: '',
		defaults: { name: ITEMS },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	execute: async () => [[]],
});
