import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeParameters,
	IPollFunctions,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { credential, node, valueAt } from './context';

export interface PollContextOptions {
	/** The parameters as n8n gives them: expressions evaluated. */
	parameters: IDataObject;
	/** The parameters as they were entered, where that differs. */
	entered?: INodeParameters;
	staticData?: IDataObject;
	mode?: WorkflowExecuteMode;
	/** Default `activate`. */
	activationMode?: WorkflowActivateMode;
	/** The node's ID, by which this process remembers it. */
	nodeId?: string;
	credential?: ICredentialDataDecryptedObject;
	/** The ID of the credential that the node has selected. */
	credentialId?: string;
	budgetMs?: number;
	/** The body of an answer with status 200, or a whole answer; what it throws is the network's. */
	answer?: (options: IHttpRequestOptions) => unknown;
}

/** The part of n8n's poll context that this package uses. */
export function makePollContext({
	parameters,
	entered = {},
	staticData = {},
	mode = 'trigger',
	activationMode = 'activate',
	nodeId = node.id,
	credential: credentialData = credential,
	credentialId = 'credential-1',
	budgetMs,
	answer = () => {
		throw new Error('Nothing may be asked here');
	},
}: PollContextOptions): IPollFunctions & { logs: string[] } {
	const logs: string[] = [];
	const log = (level: string) => (text: string) => logs.push(`${level}: ${text}`);
	const context = {
		logs,
		logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
		getNode: (): INode => ({
			...node,
			parameters: entered,
			id: nodeId,
			name: 'Status',
			credentials: { messagingGatewayApi: { id: credentialId, name: 'Account' } },
		}),
		getWorkflow: () => ({ id: 'workflow-1', name: 'Workflow', active: true }),
		getInstanceId: () => 'instance-1',
		getInstanceBaseUrl: () => 'https://n8n.example.com/',
		getMode: () => mode,
		getActivationMode: () => activationMode,
		getWorkflowStaticData: () => staticData,
		getCredentials: async () => credentialData,
		getNodeParameter: (path: string, fallback?: unknown) => valueAt(parameters, path) ?? fallback,
		...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
		helpers: {
			async httpRequestWithAuthentication(_type: string, options: IHttpRequestOptions) {
				const given = (await answer(options)) as IDataObject;
				const isWhole = typeof given === 'object' && given !== null && 'statusCode' in given;
				const whole = isWhole ? given : { statusCode: 200, body: given };
				return { headers: {}, ...whole, body: JSON.stringify(whole.body) };
			},
		},
	};
	return context as unknown as IPollFunctions & { logs: string[] };
}
