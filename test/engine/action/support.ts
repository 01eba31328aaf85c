/** What these tests share: a sandbox per file, and runs of the action node against it. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	SEEDS,
	startSandbox,
	type OperationId,
	type RecordedRequest,
	type Sandbox,
	type SandboxOptions,
} from '../../../tools/sandbox';
import { retryNode, startNode, type Execution, type NodeRun, type RunOptions } from '../harness';

export const to = '5511912345678';

/** Base64 of 'OggS' and a zero byte. */
export const audioBase64 = 'T2dnUwA=';

/**
 * Per operation of the interface: the node's operation, with the least that it needs. Those that
 * take something away come last, so that all can be run one after the other.
 */
export const operations = {
	listApiKeys: { resource: 'apiKey', operation: 'getAll' },
	sendMedia: {
		resource: 'message',
		operation: 'sendMedia',
		to: '={{ $json.to }}',
		mediaUrl: 'https://example.com/photo.jpg',
	},
	sendAudio: {
		resource: 'message',
		operation: 'sendAudio',
		to: '={{ $json.to }}',
		audioSource: 'base64',
		audioBase64: `data:audio/ogg;base64,${audioBase64}`,
	},
	sendSms: { resource: 'message', operation: 'sendSms', to: '={{ $json.to }}', text: 'Hello' },
	getChatAppCampaign: {
		resource: 'campaign',
		operation: 'get',
		channel: 'chatApp',
		campaignId: SEEDS.campaigns.chatApp.finished,
	},
	getSmsCampaign: {
		resource: 'campaign',
		operation: 'get',
		channel: 'sms',
		campaignId: SEEDS.campaigns.sms.finished,
	},
	getConnectionState: { resource: 'instance', operation: 'getConnectionState' },
	setWebhook: { resource: 'webhook', operation: 'set', url: 'https://example.com/hook' },
	getWebhook: { resource: 'webhook', operation: 'get' },
	revokeApiKey: {
		resource: 'apiKey',
		operation: 'revoke',
		keyId: { __rl: true, mode: 'id', value: 'key-sms' },
	},
	deleteCampaign: {
		resource: 'campaign',
		operation: 'delete',
		campaignId: SEEDS.campaigns.chatApp.finished,
	},
	logOutInstance: { resource: 'instance', operation: 'logOut', instance: 'my-instance' },
} satisfies Record<OperationId, INodeParameters>;

export const operationIds = Object.keys(operations) as OperationId[];

/** What the node makes of the same two queries otherwise: where no campaign, or a message is named. */
export const listings = {
	listChatAppCampaigns: { resource: 'campaign', operation: 'getAll', channel: 'chatApp' },
	listSmsCampaigns: { resource: 'campaign', operation: 'getAll', channel: 'sms' },
	getSmsStatus: { resource: 'message', operation: 'getStatus', messageId: 'm1' },
} satisfies Record<string, INodeParameters>;

/** All that the node does. */
export const actions = { ...operations, ...listings };
export type ActionId = keyof typeof actions;
export const actionIds = Object.keys(actions) as ActionId[];
/** Those whose success may be no item at all. */
export const lists: ActionId[] = [
	...(['listApiKeys', 'getChatAppCampaign', 'getSmsCampaign'] as const),
	...(['listChatAppCampaigns', 'listSmsCampaigns'] as const),
];
export const sends = ['sendMedia', 'sendAudio', 'sendSms'] as const;

export interface ActionOptions extends Omit<RunOptions, 'node' | 'parameters' | 'credential'> {
	parameters?: INodeParameters;
	/** Entries of the collection 'Options'. No retries by default. */
	options?: INodeParameters;
	/** What differs from the sandbox's credential. */
	credential?: IDataObject;
}

export class Gateway {
	sandbox!: Sandbox;

	async start(operation: ActionId, action: ActionOptions = {}): Promise<Execution> {
		const { items = [{ to }], ...ofNode } = action;
		return await startNode({ ...this.nodeOf(operation, ofNode), items });
	}

	/** n8n's Retry of an execution of the operation that did not end well. */
	async retry(
		failed: NodeRun,
		operation: ActionId,
		action: Omit<ActionOptions, 'items'> & { currentWorkflow?: boolean } = {},
	): Promise<NodeRun> {
		return await (
			await retryNode(failed, this.nodeOf(operation, action))
		).finished;
	}

	private nodeOf(
		operation: ActionId,
		{ parameters, options, credential, ...rest }: Omit<ActionOptions, 'items'>,
	) {
		return {
			...rest,
			parameters: {
				...actions[operation],
				...parameters,
				options: { maxRetries: 0, ...options },
			},
			credential: { ...this.sandbox.credential, ...credential } as never,
		};
	}

	async run(operation: ActionId, action?: ActionOptions): Promise<NodeRun> {
		return await (
			await this.start(operation, action)
		).finished;
	}

	/** The only request that the sandbox got. */
	onlyRequest(): RecordedRequest {
		const requests = this.sandbox.requests();
		expect(requests).toHaveLength(1);
		return requests[0]!;
	}
}

/** A sandbox for the tests of a file or a `describe`, fresh for each. */
export function useGateway(options?: SandboxOptions): Gateway {
	const gateway = new Gateway();
	beforeAll(async () => {
		gateway.sandbox = await startSandbox(options);
	});
	beforeEach(() => gateway.sandbox.reset());
	afterAll(async () => await gateway.sandbox.close());
	return gateway;
}

/** The first output's JSON. */
export const jsonOf = ({ outputs }: NodeRun): IDataObject[] =>
	(outputs[0] ?? []).map(({ json }) => json);

/** Per output item: the input item that it came from. */
export const pairs = (output: INodeExecutionData[] = []) =>
	output.map(({ pairedItem }) => (pairedItem as { item: number }).item);

/** As many items, each to a number of its own. */
export const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ to: String(5_511_900_000_000 + index) }));

/** Waits until a condition is true, or Jest's time limit ends the test. */
export async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Time for what must not happen. */
export const moment = async () => await new Promise((resolve) => setTimeout(resolve, 100));
