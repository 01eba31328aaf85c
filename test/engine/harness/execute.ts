import './instance';
import type { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import { parse, stringify } from 'flatted';
import { BinaryDataConfig, BinaryDataService, WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	IBinaryData,
	IDataObject,
	INode,
	INodeExecutionData,
	IPinData,
	IRun,
	IRunExecutionData,
	Workflow,
} from 'n8n-workflow';
import { ITEMS, prepare, type NodeOptions } from './workflow';

export interface RunOptions extends NodeOptions {
	/** Input; an object with `json` is used as an item. Default: one empty item. */
	items?: Array<INodeExecutionData | IDataObject>;
}

export interface NodeRun {
	/** What comes out of the node, per output, as n8n leaves it. */
	outputs: INodeExecutionData[][];
	/** What the node threw, as the execution carries it: a plain copy, so compare `name`. */
	error?: ExecutionError;
	/** As n8n saves it. A node that throws is an `error` with any setting, being the last one here. */
	status: IRun['status'];
	/** How often n8n read and decrypted the credential. */
	credentialReads: number;
	/** Lines logged since the start of this run. */
	logs: string[];
	/** What n8n's server stores. */
	data: IRunExecutionData;
	/** Until when the execution waits; undefined where it has ended. */
	waitTill?: Date | null;
}

export interface Execution {
	finished: Promise<NodeRun>;
	/** The stop button. */
	cancel(): void;
}

/** Runs one node in a production execution of n8n's engine. */
export async function runNode(options: RunOptions): Promise<NodeRun> {
	return await (
		await startNode(options)
	).finished;
}

/** As `runNode`, without waiting for the end. Rejects where n8n refuses the node's parameters. */
export async function startNode({ items = [{}], ...options }: RunOptions): Promise<Execution> {
	const mode = 'trigger';
	const { workflow, node, additionalData, ...context } = await prepare(options, mode);
	const engine = new WorkflowExecute(additionalData, mode);
	const startNode = workflow.getNode(ITEMS)!;
	const pinData = { [ITEMS]: items.map(asItem) };
	const execution =
		engine.run.length === 1
			? engine.run({ workflow, startNode, pinData })
			: (engine.run as never as EarlierRun).call(engine, workflow, startNode, undefined, pinData);
	return follow(execution, node.name, context);
}

/**
 * What n8n's Retry does with a failed execution, read back from where n8n stores it. `currentWorkflow`
 * is 'Retry with currently saved workflow': the node as `options` have it now.
 */
export async function retryNode(
	{ data }: Pick<NodeRun, 'data'>,
	{ currentWorkflow = false, ...options }: NodeOptions & { currentWorkflow?: boolean },
): Promise<Execution> {
	const mode = 'retry';
	const { workflow, node, additionalData, ...context } = await prepare(options, mode);
	const stored = parse(stringify(data)) as IRunExecutionData;
	delete stored.resultData.error;
	const tasks = stored.resultData.runData[node.name];
	if (tasks?.at(-1)?.error) tasks.pop();
	for (const waiting of stored.executionData!.nodeExecutionStack) {
		if (currentWorkflow) waiting.node = node;
	}
	const engine = new WorkflowExecute(additionalData, mode, stored);
	return follow(engine.processRunExecutionData(workflow), node.name, context);
}

function follow(
	execution: ReturnType<WorkflowExecute['run']>,
	nodeName: string,
	context: { credentialReads(): number; logs(): string[] },
): Execution {
	const finished = execution.then(({ data, status, waitTill }): NodeRun => {
		const task = data.resultData.runData[nodeName]?.at(-1);
		return {
			outputs: task?.data?.main?.map((output) => output ?? []) ?? [],
			error: task?.error ?? data.resultData.error,
			status,
			credentialReads: context.credentialReads(),
			logs: context.logs(),
			data,
			waitTill,
		};
	});
	return { finished, cancel: () => execution.cancel() };
}

/** How `run` takes its arguments in an n8n-core before 2.1x, which test:versions uses. */
type EarlierRun = (
	this: WorkflowExecute,
	workflow: Workflow,
	startNode: INode,
	destinationNode: undefined,
	pinData: IPinData,
) => ReturnType<WorkflowExecute['run']>;

const asItem = (item: INodeExecutionData | IDataObject): INodeExecutionData =>
	typeof item.json === 'object' ? (item as INodeExecutionData) : { json: item as IDataObject };

/**
 * Stores a file as an earlier node would have: `memory` keeps it as Base64 in the item, `filesystem`
 * on disk with an id. Goes into `binary: { data: … }` of an item.
 */
export async function storeBinary(
	content: Buffer | Readable,
	file: { mimeType: string; fileName?: string; storage?: 'memory' | 'filesystem' },
): Promise<IBinaryData> {
	const { storage = 'memory', ...description } = file;
	Container.get(BinaryDataConfig).mode = storage === 'memory' ? 'default' : 'filesystem';
	const service = Container.get(BinaryDataService);
	await service.init();
	return await service.store(
		{ type: 'execution', workflowId: 'workflow-1', executionId: '1' },
		content,
		{ ...description, data: '' },
	);
}
