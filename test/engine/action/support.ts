/** What these tests share: a sandbox per file, and runs of the action node against it. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { dependencyTimeoutMs } from '../../../nodes/send/subWorkflow';
import {
	startSandbox,
	type RecordedRequest,
	type Sandbox,
	type SandboxOptions,
} from '../../../tools/sandbox';
import { audioFile, parametersFor, to, type ActionId } from '../../../tools/shared/operations';
import { retryNode, startNode, type Execution, type NodeRun, type RunOptions } from '../harness';

export { audioBase64, digits, operationIds, sends, to } from '../../../tools/shared/operations';
export type { ActionId };

export interface ActionOptions extends Omit<RunOptions, 'node' | 'parameters' | 'credential'> {
	parameters?: INodeParameters;
	/** Entries of the collection 'Options'. */
	options?: INodeParameters;
	/** What differs from the sandbox's credential. */
	credential?: IDataObject;
	/** The credential's rules. No retries by default. */
	rules?: IDataObject;
}

export class Gateway {
	sandbox!: Sandbox;

	async start(operation: ActionId, action: ActionOptions = {}): Promise<Execution> {
		const { items = [{ to }], ...ofNode } = action;
		const withFiles = items.map((item) =>
			'json' in item ? item : { json: item, binary: audioFile },
		);
		return await startNode({ ...this.nodeOf(operation, ofNode), items: withFiles });
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
		{ parameters, options, credential, rules, ...rest }: Omit<ActionOptions, 'items'>,
	) {
		return {
			...rest,
			parameters: {
				...parametersFor(operation),
				...parameters,
				options: { ...(parameters?.options as INodeParameters), ...options },
			},
			credential: { ...this.sandbox.credential, maxRetries: 0, ...credential, ...rules } as never,
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

/** What n8n shows above the output. */
export const hintsOf = ({ data }: NodeRun) =>
	Object.values(data.resultData.runData).at(-1)!.at(-1)!.hints ?? [];

/** Per output item: the input item that it came from. */
export const pairs = (output: INodeExecutionData[] = []) =>
	output.map(({ pairedItem }) => (pairedItem as { item: number }).item);

/** As many items, each to a number of its own. */
export const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ to: `+${5_511_900_100_000 + index}` }));

/** Lets 'Timeout', a second at least, end after a tenth of the time. */
export function hurry(): void {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const early = (ms: number) => timeout(Math.ceil(ms / 10));
	let spy: jest.SpyInstance;
	beforeEach(() => void (spy = jest.spyOn(AbortSignal, 'timeout').mockImplementation(early)));
	afterEach(() => spy.mockRestore());
}

const now = performance.now.bind(performance);

/**
 * Gives dependencies up after about a second instead of a minute; ends with `restoreAllMocks`. Requests keep
 * their time: a busy machine needs it.
 */
export function impatiently(): void {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const early = (ms: number) => timeout(ms === dependencyTimeoutMs ? ms / 50 : ms);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(early);
	const start = now();
	jest.spyOn(performance, 'now').mockImplementation(() => start + (now() - start) * 100);
}

/** Waits until a condition is true, or Jest's time limit ends the test. */
export async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Time for what must not happen. */
export const moment = async () => await new Promise((resolve) => setTimeout(resolve, 100));

/** The time in a send's body, wherever the operation has it; empty: none. */
export const scheduleOf = ({ body }: { body?: unknown }): unknown => {
	const { message, schedule, scheduled_at: scheduledAt } = body as IDataObject;
	return (message as IDataObject | undefined)?.scheduled_at ?? schedule ?? scheduledAt ?? '';
};

/** The most requests that were under way at the same time. */
export function mostAtOnce(requests: RecordedRequest[]): number {
	const atOnce = requests.map(
		({ at }) => requests.filter((other) => other.at <= at && other.answeredAt! > at).length,
	);
	return Math.max(...atOnce);
}
