/** test/nightly/agentRows.test.ts has what n8n's agents really give their tools. */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import { Entered } from '../../../nodes/form/item';
import { sendSms } from '../../../nodes/MessagingGateway/operations/message/sendSms';
import { useItemOfCall } from '../../../nodes/send/agents';
import { makeContext } from '../../../tools/shared/context';
import { onceBy } from '../../../tools/shared/deduplication';

const rows: INodeExecutionData[] = [{ json: { phone: '1' } }, { json: { phone: '2' } }];
const one = rows.slice(1);
const fromAi = "={{ $fromAI('To', 'Number') }}";
const both = "={{ $fromAI('order') }} {{ $json.phone }}";
const ofItem = '={{ $json.phone }}';
const ofNode = "={{ $('Order').item.json.phone }}";

/** The item that n8n makes of a call by an agent of version 3. */
const call = (json: IDataObject = {}): INodeExecutionData[] => [
	{ json: { ...json, toolCallId: 'call-1' }, pairedItem: { item: 0 } },
];

interface Given {
	parameters?: INodeParameters;
	credential?: ICredentialDataDecryptedObject;
	/** What `$json` is taken from. */
	input: INodeExecutionData[] | undefined;
	/** Of an agent of version 3; undefined: it does not wait in n8n's stack. */
	items?: INodeExecutionData[];
	/** Of each output of each node before the agent. */
	outputs?: Record<string, INodeExecutionData[][]>;
	/** The index of the last call that n8n has. */
	lastCall?: number;
	hasHelper?: boolean;
}

/** Of a tool of the node 'Agent'. */
function contextOf({ input, items, outputs = {}, lastCall = 0, ...given }: Given) {
	const context = makeContext({
		node: { type: 'messagingGatewayTool' },
		parameters: given.parameters,
		credential: { itemFields: 'itemFields', ...given.credential },
	});
	const { name } = context.getNode();
	context.getParentNodes = () => Object.keys(outputs).map((each) => ({ name: each })) as never;
	context.getWorkflowDataProxy = () =>
		({
			$runIndex: 0,
			$node: { [name]: { runIndex: lastCall }, Order: { runIndex: 4 }, Loop: { runIndex: 2 } },
			$items: (node: string, output: number) => {
				if (outputs[node]?.[output]) return outputs[node][output];
				throw new Error('No execution data available');
			},
		}) as never;
	const metadata = { subNodeExecutionData: { actions: [{ action: { id: 'call-1' } }] } };
	const agent = { node: { name: 'Agent' }, data: { main: [items] }, metadata };
	// An agent that is a tool of the other one may make the call.
	const helper = { ...agent, node: { name: 'Helper' }, data: { main: [call({ phone: '5' })] } };
	const agents = given.hasHelper ? [helper, agent] : [agent];
	const nodeExecutionStack = [{ node: { name: 'Other' } }, ...(items ? agents : [])];
	const runExecutionData = { executionData: { nodeExecutionStack } };
	return Object.assign(context, { connectionInputData: input, runExecutionData });
}

/** Why a call is refused. */
async function refused(given: Given) {
	const context = contextOf(given);
	const result = useItemOfCall(context, new Entered(context), sendSms);
	return await result.then(
		() => undefined,
		({ message }: Error) => message,
	);
}

const sameKey = 'The deduplication key is the same for all 2 items of the AI agent';
const unknown = 'comes from your data, but n8n does not say which item this call is for';

const often = "={{ $fromAI('often') }}" as 'key';
const keyed = (...deduplication: Parameters<typeof onceBy>) => ({
	...{ to: fromAi, options: onceBy(...deduplication) },
});
const severalOf3 = { input: call({ phone: '2' }), items: rows };

test.each<[string, INodeParameters, Omit<Given, 'parameters'>, string?]>([
	['several items at once', { to: ofItem }, { input: rows }, `'To' ${unknown}`],
	['the only item', { to: ofNode }, { input: one }],
	['nothing, from outside of a workflow', { to: fromAi }, { input: [] }],
	['one of several', { to: ofItem }, severalOf3, `'To' ${unknown}`],
	['one of several, from other nodes', { to: ofNode }, severalOf3, `'To' ${unknown}`],
	['one of several, what the model gives', { to: fromAi, text: 'Hello' }, severalOf3],
	['one of several, a part', { to: fromAi, text: both }, severalOf3, `'Text' ${unknown}`],
	...['$now', '$workflow.name', '$vars.shop', '$nodeVersion', '$execution.id', '$if(true, 1)'].map(
		(text): [string, INodeParameters, Given] => [text, { text: `={{ ${text} }}` }, severalOf3],
	),
	...[
		'$binary.a',
		'$input.first()',
		'$items()',
		'$itemIndex',
		'$thisItem',
		'$node.Order',
		'$ (1)',
	].map((text): [string, INodeParameters, Given, string] => {
		return [text, { text: `={{ ${text} }}` }, severalOf3, `'Text' ${unknown}`];
	}),
	['the only one', { to: ofItem, text: both }, { input: call({ phone: '3' }), items: one }],
	['what n8n does not show', { to: ofItem }, { input: undefined }, `'To' ${unknown}`],
	['the only one, whose agent is unknown', { to: ofItem }, { input: call() }, `'To' ${unknown}`],
	['the only one, whose agent is unknown, nothing of it', { to: fromAi }, { input: call() }],
	[
		'one of several, called by a tool',
		{ to: ofItem },
		{ ...severalOf3, hasHelper: true },
		`'To' ${unknown}`,
	],
	[
		'one whose call n8n has lost',
		{ to: ofItem },
		{ input: call(), items: one, lastCall: -1 },
		`'To' ${unknown}`,
	],
	['several items, with the same key for all', keyed('={{ $now }}'), { input: rows }, sameKey],
	['several items, with a key without an expression', keyed('order'), { input: rows }, sameKey],
	['several, where once per what differs', keyed('={{ $now }}', often), { input: rows }, sameKey],
	['several, a key for each number', keyed('={{ $now }}', 'keyAndNumber'), { input: rows }],
])('given %s', async (_, parameters, given, ...[expected]) => {
	expect(await refused({ ...given, parameters })).toBe(expected);
});

test.each<[string, string, Given, string?]>([
	['of several items', 'baseUrl,itemFields', { input: rows }, `'Base URL' ${unknown}`],
	['of several calls', 'apiKey,itemFields', severalOf3, `'API Key' ${unknown}`],
	['of the chat app', 'chatAppName,itemFields', { input: rows }, `'Chat App Name' ${unknown}`],
	['of one item', 'baseUrl,itemFields', { input: call(), items: one }],
	['that n8n does not tell', '', { input: rows }, `'Fields From Items' ${unknown}`],
])('a credential %s', async (_, itemFields, given, ...[expected]) => {
	expect(await refused({ ...given, credential: { itemFields } })).toBe(expected);
});

const json = { phone: '2' };
const placed = (previousNode: string, previousNodeOutput: number, item: number, run: number) => ({
	json: { ...json, toolCallId: 'call-1' },
	pairedItem: { item, sourceOverwrite: { previousNode, previousNodeOutput, previousNodeRun: run } },
});

test.each<[string, Given['outputs'], INodeExecutionData]>([
	['its place in the last run', { Loop: [[], rows] }, placed('Loop', 1, 1, 2)],
	['its place behind one of several nodes', { Order: [[]], Loop: [one] }, placed('Loop', 0, 0, 2)],
	[
		'no place where none is the same',
		{ Order: [rows.slice(0, 1)] },
		{ ...placed('', 0, 0, 0), pairedItem: undefined },
	],
	[
		'no place where two are the same',
		{ Order: [one, one] },
		{ ...placed('', 0, 0, 0), pairedItem: undefined },
	],
])('the item comes back with %s, and n8n keeps the call', async (_, outputs, expected) => {
	for (const hasHelper of [false, true]) {
		const input = call({ phone: '3', mobile: '4' });
		const context = contextOf({ input, items: [{ json }], outputs, hasHelper });
		const [kept] = structuredClone(input);
		await useItemOfCall(context, new Entered(context), sendSms);
		expect(context.connectionInputData).toEqual([expected]);
		expect(input).toEqual([kept]);
	}
});
