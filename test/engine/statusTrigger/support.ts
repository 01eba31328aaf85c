/** A workflow with the trigger whose methods do what n8n does. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../tools/sandbox';
import { startPolling, type Polling } from '../harness';

let workflows = 0;

export class StatusWorkflow {
	private polling: Polling | undefined;

	constructor(
		private readonly sandbox: Sandbox,
		private readonly parameters: INodeParameters,
	) {}

	async publish(): Promise<void> {
		this.polling = await startPolling({
			node: 'messagingGatewayStatusTrigger',
			workflowId: `workflow-${++workflows}`,
			parameters: this.parameters,
			credential: this.sandbox.credential as never,
			staticData: {},
		});
	}

	/** @returns the output of one poll */
	async poll(): Promise<IDataObject[]> {
		const { executions, failedExecutions, tick } = this.polling!;
		await tick();
		expect(failedExecutions).toEqual([]);
		return executions.splice(0).flatMap((items) => items.map(({ json }) => json));
	}
}
