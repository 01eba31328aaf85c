import './instance';
import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';
import { prepare, type NodeOptions } from './workflow';

/** A polling trigger as n8n runs it while its workflow is published. */
export interface Polling {
	/** Items of each execution that was started. */
	executions: INodeExecutionData[][];
	/** What n8n saves as a failed execution, and starts the error workflow with. */
	failedExecutions: Error[];
	/** What happens at a poll time. */
	tick(): Promise<void>;
}

/**
 * Publishes a polling trigger. As in n8n, that includes a first poll; what it throws is thrown, and
 * the workflow stays inactive. n8n stores static data after that, and whenever an execution starts.
 */
export async function startPolling(options: NodeOptions): Promise<Polling> {
	const { workflow, node, nodeType, additionalData, ...context } = await prepare(
		options,
		'trigger',
	);
	const executions: INodeExecutionData[][] = [];
	const failedExecutions: Error[] = [];
	const pollContext = new PollContext(
		workflow,
		node,
		additionalData,
		'trigger',
		'activate',
		([items]) => {
			context.saveStaticData();
			executions.push(items ?? []);
		},
		(error) => failedExecutions.push(error),
	);

	const poll = PollTriggerExecutor
		? Container.get(PollTriggerExecutor).create(workflow, node, pollContext, () => true)
		: /** As an earlier n8n-core does it, in a class of n8n's server. */
			async (isActivation = false) => {
				try {
					const found = await nodeType.poll!.call(pollContext);
					if (found !== null) pollContext.__emit(found);
				} catch (error) {
					if (isActivation) throw error;
					pollContext.__emitError(error as Error);
				}
			};
	await poll(true);
	context.saveStaticData();
	return { executions, failedExecutions, tick: async () => await poll() };
}
