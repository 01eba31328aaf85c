/** What these tests share: a sandbox, and a workflow with the trigger that lives as n8n lets it live. */
import type { IDataObject, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { fetchTestEvent, startPolling, type Polling } from '../harness';

/** A sandbox for the tests of a file, fresh for each. */
export function useSandbox(): () => Sandbox {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => await sandbox.close());
	return () => sandbox;
}

/** Sends an SMS through the service itself. */
export async function send({ url, credential }: Sandbox, to: string): Promise<void> {
	await fetch(`${url}/v1/sms/enviar`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': credential.apiKey },
		body: JSON.stringify({ to, msg: 'Olá', tiposms: '1' }),
	});
}

let workflows = 0;

/** A workflow with the trigger; its methods do what n8n does on that event. */
export class StatusWorkflow {
	/** What n8n has stored. */
	readonly staticData: IDataObject = {};

	/** Items of all executions that were started, as they came out. */
	readonly items: IDataObject[] = [];

	/** Messages of all failed executions. */
	readonly failures: string[] = [];

	private readonly id = `workflow-${++workflows}`;

	private polling: Polling | undefined;

	constructor(
		private readonly sandbox: Sandbox,
		private readonly parameters: INodeParameters,
		/** Entries of the credential that differ from the sandbox's own. */
		private readonly credential: IDataObject = {},
	) {}

	async publish(activationMode: WorkflowActivateMode = 'activate'): Promise<void> {
		this.polling = await startPolling({ ...this.options(), activationMode });
		this.takeOver();
	}

	/** n8n ends, at once or in order: it stores nothing then. And it starts again. */
	async restart(): Promise<void> {
		await this.publish('init');
	}

	/** One poll time. @returns what came out */
	async poll(): Promise<IDataObject[]> {
		const before = this.items.length;
		await this.polling!.tick();
		this.takeOver();
		return this.items.slice(before);
	}

	async fetchTestEvent(): Promise<IDataObject[]> {
		return (await fetchTestEvent(this.options())).map(({ json }) => json);
	}

	logs(): string[] {
		return this.polling!.logs();
	}

	private takeOver(): void {
		const { executions, failedExecutions } = this.polling!;
		this.items.push(...executions.splice(0).flatMap((items) => items.map(({ json }) => json)));
		this.failures.push(...failedExecutions.splice(0).map(({ message }) => message));
	}

	private options() {
		return {
			node: 'messagingGatewayStatusTrigger',
			workflowId: this.id,
			parameters: this.parameters,
			credential: { ...this.sandbox.credential, ...this.credential } as never,
			staticData: this.staticData,
		};
	}
}
