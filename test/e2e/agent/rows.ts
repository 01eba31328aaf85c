import type { INodeParameters } from 'n8n-workflow';
import type { HostClient, WorkflowJson } from '../../../tools/host';
import { startSandbox } from '../../../tools/sandbox';
import { chain, items, node } from '../../../tools/shared/workflows';
import { sharedHost } from '../sharedHost';
import { startModel } from './model';
import { agent, connectBelow, connectModel, fromAi, tool } from './tools';

const people = ['5511900000001', '5511900000002', '5511900000003'];
const rows = people.map((phone, order) => ({ phone, order }));

/** What 'To' may be taken from. */
export const to = {
	item: '={{ $json.phone }}',
	node: "={{ $('Items').item.json.phone }}",
	first: "={{ $('Items').first().json.phone }}",
	model: fromAi('To', 'Phone number with country code'),
};

/** How an agent gets its rows. */
export type Shape = 'oneRow' | 'threeRows' | 'inLoop' | 'inSubWorkflow';

interface Call {
	shape: Shape;
	/** Of the agent. */
	version: number;
	/** Of the tool. */
	parameters: INodeParameters;
	/** What the model adds to each call, though no field asks for it. */
	more?: object;
}

/** An agent that is to text each of its rows, with a model that does. */
export async function startTexting() {
	const { client } = await sharedHost();
	const sandbox = await startSandbox();
	let more: object | undefined;
	const model = await startModel(({ messages }) => {
		const { content } = messages.find(({ role }) => role === 'user')!;
		return [{ To: /\d+/.exec(JSON.stringify(content))![0], Text: 'Hello', ...more }];
	});
	const credential = await client.createCredential(sandbox.credential);
	const openAi = await client.createCredential(model.credential, 'openAiApi');

	function addTool(workflow: WorkflowJson, parameters: INodeParameters): WorkflowJson {
		workflow.settings = { executionOrder: 'v1' };
		connectModel(workflow, 'Agent', openAi);
		const sms = { resource: 'message', operation: 'sendSms', text: 'Hello', ...parameters };
		connectBelow(workflow, 'Agent', 'ai_tool', tool('Send SMS', credential, sms));
		return workflow;
	}

	return {
		/** @returns whom it has texted, by the number of the row, and what its tool has refused */
		async run({ shape, version, parameters, ...call }: Call) {
			sandbox.reset();
			({ more } = call);
			const workflow =
				shape === 'inSubWorkflow'
					? await callEach(client, addTool(subWorkflow(version), parameters))
					: addTool(shapes[shape](version), parameters);
			const { data, error } = await client.execute(workflow);
			if (error) throw new Error(error.message);
			const texted = sandbox.accepted().map(({ to: number }) => people.indexOf(String(number)));
			const calls = data.resultData.runData['Send SMS'] ?? [];
			return { texted: texted.sort(), refused: calls.flatMap((run) => run.error?.message ?? []) };
		},
		async close() {
			await model.close();
			await sandbox.close();
		},
	};
}

const textEach = (version: number) => agent('=Say hello to {{ $json.phone }}', version);

const shapes: Record<Exclude<Shape, 'inSubWorkflow'>, (version: number) => WorkflowJson> = {
	oneRow: (version) => chain('One row', ...items(rows[1]!), textEach(version)),
	threeRows: (version) => chain('Three rows', ...items(...rows), textEach(version)),
	inLoop(version) {
		const parameters = { batchSize: 1, options: {} };
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', parameters, { typeVersion: 3 });
		const workflow = chain('Loop', ...items(...rows), loop, textEach(version));
		const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
		workflow.connections.Loop = { main: [[], to('Agent')] };
		workflow.connections.Agent = { main: [to('Loop')] };
		return workflow;
	},
};

function subWorkflow(version: number): WorkflowJson {
	const workflow = chain('Sub-workflow', node('Items', '', {}), textEach(version));
	workflow.nodes.shift();
	Object.assign(workflow.nodes[0]!, {
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	delete workflow.connections.Start;
	return workflow;
}

/** Calls the sub-workflow once for each row. */
async function callEach(client: HostClient, of: WorkflowJson): Promise<WorkflowJson> {
	const value = await client.createWorkflow(of);
	await client.activate(value);
	const parameters = { workflowId: { __rl: true, mode: 'id', value }, mode: 'each', options: {} };
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', parameters, { typeVersion: 1.2 });
	return chain('Calls', ...items(...rows), call);
}
