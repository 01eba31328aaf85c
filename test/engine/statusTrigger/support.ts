/** A sandbox, and a workflow with the trigger whose methods do what n8n does. */
import type { IDataObject, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../tools/sandbox';
import { startPolling, type Polling } from '../harness';

/** A sandbox for the tests of a file, reset for each. */
export function useSandbox(): () => Sandbox {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	return () => sandbox;
}

/** Sends an SMS, without the node. */
export async function send({ url, credential }: Sandbox, to: string): Promise<void> {
	await fetch(`${url}/v1/sms/enviar`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': credential.apiKey },
		body: JSON.stringify({ to, msg: 'Olá', tiposms: '1' }),
	});
}

let workflows = 0;

export class StatusWorkflow {
	/** As stored by n8n. */
	readonly staticData: IDataObject = {};

	/** The output of all executions. */
	readonly items: IDataObject[] = [];

	/** The messages of all failed executions. */
	readonly failures: string[] = [];

	private readonly id = `workflow-${++workflows}`;

	private polling: Polling | undefined;

	constructor(
		private readonly sandbox: Sandbox,
		private readonly parameters: INodeParameters,
	) {}

	/** @param activationMode `init` when n8n is started again; it stores nothing when it stops */
	async publish(activationMode: WorkflowActivateMode = 'activate'): Promise<void> {
		this.polling = await startPolling({
			node: 'messagingGatewayStatusTrigger',
			workflowId: this.id,
			parameters: this.parameters,
			credential: this.sandbox.credential as never,
			staticData: this.staticData,
			activationMode,
		});
		this.collect();
	}

	/** @returns the output of one poll */
	async poll(): Promise<IDataObject[]> {
		const before = this.items.length;
		await this.polling!.tick();
		this.collect();
		return this.items.slice(before);
	}

	logs(): string[] {
		return this.polling!.logs();
	}

	private collect(): void {
		const { executions, failedExecutions } = this.polling!;
		this.items.push(...executions.splice(0).flatMap((items) => items.map(({ json }) => json)));
		this.failures.push(...failedExecutions.splice(0).map(({ message }) => message));
	}
}
