/**
 * An agent that works through rows: each person gets the row's own message, or none. Every version of
 * n8n's agent gives its tools something else of a row.
 */
import type { INodeParameters } from 'n8n-workflow';
import type { WorkflowJson } from '../../tools/host';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, items, node } from '../../tools/shared/workflows';
import { useModel } from '../e2e/agent/model';
import { agent, connectBelow, connectModel, connectSms, fromAi, tool } from '../e2e/agent/tools';
import { useHost } from '../e2e/sharedHost';
import { call, called, inLoop } from '../e2e/support/workflows';

const people = ['+5511900000001', '+5511900000002', '+5511900000003'];
const rows = items(...people.map((phone, order) => ({ phone, order })));

/** What 'To' may be taken from. */
const to = {
	item: '={{ $json.phone }}',
	node: "={{ $('Items').item.json.phone }}",
	first: "={{ $('Items').first().json.phone }}",
	model: fromAi('To', 'Phone number with country code'),
};

const textEach = (version: number) => agent('=Say hello to {{ $json.phone }}', version);
const inSubWorkflow = (version: number) => {
	const workflow = called(chain('Sub-workflow', textEach(version)));
	workflow.nodes[0]!.name = 'Items';
	workflow.connections = { Items: workflow.connections.Start! };
	return workflow;
};

/** How an agent gets its rows. */
const shapes = {
	oneRow: (version: number) =>
		chain('One row', ...items({ phone: people[1]!, order: 1 }), textEach(version)),
	threeRows: (version: number) => chain('Three rows', ...rows, textEach(version)),
	inLoop: (version: number) => inLoop('Loop', rows, textEach(version)),
	inSubWorkflow,
};
type Shape = keyof typeof shapes;

const host = useHost();
/** What the model adds to each call, though no field asks for it. */
let more: object = {};
/** How often the model calls its tool, one call after the other. */
let calls = 1;
const model = useModel(host, ({ messages }) => {
	const { content } = messages.find(({ role }) => role === 'user')!;
	const To = /\d+/.exec(JSON.stringify(content))![0];
	return Array.from({ length: calls }, (_, call) => ({ To, Text: `Hello ${call}`, ...more }));
});
beforeEach(() => {
	more = {};
	calls = 1;
});

/** @returns whom it has texted, by the number of the row, and what its tool has refused */
async function run(shape: Shape, version: number, parameters: INodeParameters) {
	const { client, sandbox, credential } = host;
	let workflow: WorkflowJson = shapes[shape](version);
	connectSms(workflow, model.openAi, credential, { text: 'Hello', ...parameters });
	if (shape === 'inSubWorkflow') {
		const id = await client.publish(workflow);
		workflow = { ...inLoop('Calls', rows, call(id)), settings: { executionOrder: 'v1' } };
	}
	const { data, error } = await client.execute(workflow);
	if (error) throw new Error(error.message);
	const texted = sandbox.accepted().map((message) => people.indexOf(String(message.to)));
	const calls = data.resultData.runData['Send SMS'] ?? [];
	return { texted: texted.sort(), refused: calls.flatMap(({ error: of }) => of?.message ?? []) };
}

const anyRow = "'To' comes from your data, but n8n does not say which item this call is for";

describe.each([1.9, 2.2, 3, 3.1])('an agent of version %d', (version) => {
	test.each<[Shape, keyof typeof to, number[]]>([
		['oneRow', 'item', [1]],
		['oneRow', 'node', [1]],
		['oneRow', 'first', [1]],
		['threeRows', 'item', []],
		['threeRows', 'node', []],
		['threeRows', 'first', []],
		['threeRows', 'model', [0, 1, 2]],
		['inLoop', 'item', [0, 1, 2]],
		['inLoop', 'node', [0, 1, 2]],
		['inSubWorkflow', 'item', [0, 1, 2]],
		['inSubWorkflow', 'node', [0, 1, 2]],
		['inSubWorkflow', 'model', [0, 1, 2]],
	])('with %s, by %s, texts %j', async (shape, by, expected) => {
		const { texted, refused } = await run(shape, version, { to: to[by] });
		expect(texted).toEqual(expected);
		const count = shape === 'oneRow' ? 1 : 3;
		expect(refused).toHaveLength(shape === 'inSubWorkflow' ? 0 : count - expected.length);
		for (const message of refused) expect(message).toContain(anyRow);
	});

	it.each<[string, INodeParameters]>([
		["'Text'", { text: "=Order {{ $('Items').item.json.order }}" }],
		["'Deduplication'", { options: onceBy("={{ $('Items').item.json.order }}") }],
		['deduplication key is the same for all 3 items', { options: onceBy('={{ $execution.id }}') }],
	])('with three rows, refuses a %s that is the same for all', async (message, parameters) => {
		const { texted, refused } = await run('threeRows', version, { to: to.model, ...parameters });
		expect(texted).toEqual([]);
		expect(refused.join()).toContain(message);
	});

	it('lets the model not change the number of a row', async () => {
		more = { phone: '+55 11 98888-7777', other: '+55 11 98888-7777' };
		const { texted } = await run('inLoop', version, { to: '={{ $json.other || $json.phone }}' });
		expect(texted).toEqual([0, 1, 2]);
	});

	it('sends each person one message with a key of the execution and the number', async () => {
		const options = onceBy('={{ $execution.id }} {{ $parameter.to }}');
		const { texted } = await run('threeRows', version, { to: to.model, options });
		expect(texted).toEqual([0, 1, 2]);
	});
});

/** Behind the second output of a Switch, whose first output has the other row. */
function behindSwitch(): WorkflowJson {
	const rule = (value: number) => ({
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
			conditions: [
				{
					...{ id: String(value), leftValue: '={{ $json.order }}', rightValue: value },
					operator: { type: 'number', operation: 'equals' },
				},
			],
			combinator: 'and',
		},
	});
	const parameters: INodeParameters = { rules: { values: [rule(0), rule(1)] }, options: {} };
	const rows = items(...people.slice(0, 2).map((phone, order) => ({ phone, order })));
	const by = node('Switch', 'n8n-nodes-base.switch', parameters, { typeVersion: 3.2 });
	const workflow = chain('Switch', ...rows, by, textEach(3));
	workflow.connections.Switch!.main!.unshift([]);
	return workflow;
}

// From the second call on, n8n names the first output of the node before the agent.
it.each([
	['behind one of several outputs', to.item, [1, 1], behindSwitch],
	['behind one of several outputs', to.node, [1, 1], behindSwitch],
	['in a loop', to.item, [0, 0, 1, 1, 2, 2], shapes.inLoop],
	['in a loop', to.node, [0, 0, 1, 1, 2, 2], shapes.inLoop],
])('%s, two calls in succession text the same person, by %s', async (_, number, expected, make) => {
	calls = 2;
	const workflow = make(3);
	connectSms(workflow, model.openAi, host.credential, { to: number });
	const { error } = await host.client.execute(workflow);
	expect(error).toBeUndefined();
	const texted = host.sandbox.accepted().map((message) => people.indexOf(String(message.to)));
	expect(texted.sort()).toEqual(expected);
});

it('lets no model change the number, where the tool is that of an agent that is a tool itself', async () => {
	more = { other: '+55 11 98888-7777', query: 'Say hello to 1' };
	const workflow = shapes.inLoop(3);
	connectModel(workflow, model.openAi);
	const text = fromAi('query', 'What to do');
	const parameters = { toolDescription: 'Says hello', text, options: {} };
	const helper = node('Helper', '@n8n/n8n-nodes-langchain.agentTool', parameters, {
		typeVersion: 3,
	});
	connectBelow(workflow, 'Agent', 'ai_tool', helper);
	const helped = { node: 'Helper', type: 'ai_languageModel' as const, index: 0 };
	workflow.connections.Model!.ai_languageModel![0]!.push(helped);
	const sms = {
		...{ resource: 'message', operation: 'sendSms', text: 'Hello' },
		to: "={{ $json.other || $('Items').item.json.phone }}",
	};
	connectBelow(workflow, 'Helper', 'ai_tool', tool('Send SMS', host.credential, sms));
	const { error } = await host.client.execute(workflow);
	expect(error).toBeUndefined();
	expect(host.sandbox.accepted().map(({ to }) => to)).toEqual(people);
});
