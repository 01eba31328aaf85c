/** The workflows in examples/, as a person imports, publishes and runs them. */
import type { IDataObject, INode } from 'n8n-workflow';
import {
	outputOf,
	type FinishedExecution,
	type HostClient,
	type WorkflowJson,
} from '../../../tools/host';
import { prepareExample, type Credentials } from '../../../tools/host/examples';
import { until } from '../../../tools/host/until';
import { useHost } from '../sharedHost';
import { rowsOf } from './tables';

/** People of the examples. */
export const ana = '+5511912345678';
export const bruno = '+5521998765432';
export const carla = '+5531988887777';

/** What a person sets in it, who follows its notes. */
type Change = (workflow: WorkflowJson) => void;

/** For the test that runs. */
const published: Example[] = [];
afterEach(async () => {
	for (const example of published.splice(0)) await example.unpublish();
});

/** An example in n8n. */
export class Example {
	private constructor(
		private readonly client: HostClient,
		readonly id: string,
		readonly nodes: INode[],
	) {}

	static async import(
		client: HostClient,
		file: string,
		credentials: Credentials,
		set: Change = () => {},
	): Promise<Example> {
		const workflow = await prepareExample(client, file, credentials);
		set(workflow);
		return new Example(client, await client.createWorkflow(workflow), workflow.nodes);
	}

	/** Runs it by hand, to its end. */
	async execute(trigger?: string): Promise<FinishedExecution> {
		return await this.ended(await this.client.run(this.id, trigger));
	}

	/** @param options.stays whether it stays published after the test */
	async publish({ stays = false } = {}): Promise<this> {
		if (!stays) published.push(this);
		const { status, triggers } = await this.client.activate(this.id);
		expect({ status, triggers }).toMatchObject({ status: 'published' });
		return this;
	}

	async unpublish(): Promise<void> {
		await this.client.deactivate(this.id);
	}

	/** Waits until it has been started so often, and has ended without an error each time. */
	async runs(count: number): Promise<FinishedExecution[]> {
		const executions = async () => await this.client.executions(this.id);
		await until(`it has run ${count} times`, async () => (await executions()).length >= count);
		return await Promise.all((await executions()).map(async ({ id }) => await this.ended(id)));
	}

	private async ended(id: string): Promise<FinishedExecution> {
		const execution = await this.client.waitForExecution(id);
		expect([execution.error?.message, execution.status]).toEqual([undefined, 'success']);
		return execution;
	}
}

/** Of one node, as it came out. */
export const jsonOf = (execution: FinishedExecution, node: string, output = 0) =>
	outputOf(execution, node, output).map(({ json }) => json);

/** Of one node, to be changed. */
export const parametersOf = <T = IDataObject>({ nodes }: WorkflowJson, wanted: string): T =>
	nodes.find(({ name }) => name === wanted)!.parameters as T;

/** What a person enters in the fields of a node. */
export function enter(workflow: WorkflowJson, node: string, values: IDataObject): void {
	type Fields = { assignments: { assignments: Array<{ name: string; value: unknown }> } };
	const { assignments } = parametersOf<Fields>(workflow, node).assignments;
	const names = assignments.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(Object.keys(values)));
	for (const each of assignments) each.value = values[each.name] ?? each.value;
}

/** Of 'Send Between'. */
export const windowsOf = (workflow: WorkflowJson, node: string): IDataObject[] =>
	parametersOf<{ options: { sendBetween: { values: { windows: { values: IDataObject[] } } } } }>(
		workflow,
		node,
	).options.sendBetween.values.windows.values;

/** The shared n8n, and its service, for examples. */
export function useExamples() {
	const host = useHost();
	return {
		host,
		async importExample(file: string, set?: Change, more: Credentials = {}) {
			const credentials = { messagingGatewayApi: host.credential, ...more };
			return await Example.import(host.client, file, credentials, set);
		},
		/** Of a Data Table. */
		rows: async (table: string) => await rowsOf(host.client, table),
		texts: () => host.sandbox.accepted().map(({ text }) => text),
	};
}
