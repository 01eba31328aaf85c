/** test/nightly/agentRows.test.ts has what n8n's agents really give their tools. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Entered } from '../../../nodes/form/item';
import { sendSms } from '../../../nodes/MessagingGateway/operations/message/sendSms';
import { checkItemOfCall, itemsOfAgent } from '../../../nodes/MessagingGateway/run/agents';
import { makeContext } from '../../../tools/shared/context';
import { onceBy } from '../../../tools/shared/deduplication';

const rows: INodeExecutionData[] = [{ json: { phone: '1' } }, { json: { phone: '2' } }];
const fromAi = "={{ $fromAI('To', 'Number') }}";
const both = "={{ $fromAI('order') }} {{ $json.phone }}";
const ofItem = '={{ $json.phone }}';
const ofNobody = '={{ $workflow.name }} {{ $vars.a }} {{ $secrets.a }} {{ $now }}';
const ofNode = "={{ $('Order').item.json.phone }}";

/** The item that n8n makes of a call by an agent of version 3. */
const call = (phone: string, more: IDataObject = {}, previousNode = 'Order') => ({
	json: { phone, ...more, toolCallId: 'call-1' },
	pairedItem: { item: 0, sourceOverwrite: { previousNode, previousNodeRun: 0 } },
});

interface Given {
	parameters?: INodeParameters;
	/** What `$json` is taken from. */
	input: INodeExecutionData[];
	/** Of each output of each node. */
	outputs: Record<string, INodeExecutionData[][]>;
	/** Nodes before the agent. */
	before?: string[];
	/** Whether n8n's Retry begins with this call. */
	isRetried?: boolean;
}

/** Of a tool of the node 'Agent'. */
function contextOf({ parameters, input, outputs, before = ['Order'], isRetried }: Given) {
	const context = makeContext({ node: { type: 'messagingGatewayTool' }, parameters });
	context.getInputData = () => input;
	context.getParentNodes = (of, { connectionType } = {}) => {
		const tools = of === 'Agent' ? [context.getNode().name] : [];
		return (connectionType === 'main' ? before : tools).map((name) => ({ name })) as never;
	};
	const given = <T>(found: T | undefined): T => {
		if (found !== undefined) return found;
		throw new Error('No execution data available');
	};
	context.getWorkflowDataProxy = () =>
		({
			$prevNode: { name: 'Agent' },
			$runIndex: isRetried ? 1 : 0,
			$node: { [context.getNode().name]: { runIndex: 0 } },
			$input: { all: () => given(input.length > 0 ? input : undefined) },
			$items: (name: string, output: number) => given(outputs[name]?.[output]),
		}) as never;
	return context;
}

test('a call gets the only item of its agent back, without what the model has added', async () => {
	const input = [call('3', { query: { phone: '4' } })];
	const context = contextOf({
		parameters: { to: ofItem },
		input,
		outputs: { Order: [[rows[1]!]] },
	});
	await checkItemOfCall(context, new Entered(context), sendSms);
	expect(input[0]!.json).toEqual({ phone: '2', toolCallId: 'call-1' });
	expect(rows[1]!.json).toEqual({ phone: '2' });
});

test('a call that n8n repeats keeps what the model gave, and takes nothing from an item', async () => {
	const input = [call('3')];
	const outputs = { Order: [[rows[1]!]] };
	const context = contextOf({ parameters: { to: ofItem }, input, outputs, isRetried: true });
	const checked = checkItemOfCall(context, new Entered(context), sendSms);
	await expect(checked).rejects.toThrow(`'To' ${unknown}`);
	expect(input[0]!.json).toEqual(call('3').json);
});

test.each([
	['$json baseUrl', rows, true],
	['$( baseUrl', rows, true],
	['baseUrl', rows, false],
	['$json baseUrl', rows.slice(1), false],
])('a credential with %s, for %j: refused %s', async (expressionFields, items, isRefused) => {
	const context = contextOf({
		parameters: { to: fromAi },
		input: [call('2')],
		outputs: { Order: [items] },
	});
	context.getCredentials = async () => ({ expressionFields }) as never;
	const checked = checkItemOfCall(context, new Entered(context), sendSms);
	if (isRefused)
		await expect(checked).rejects.toThrow(
			`'Base URL' in the Messaging Gateway credential ${unknown}`,
		);
	else await checked;
});

/** The field that is refused, and why. @param items of the agent */
async function refused(
	parameters: INodeParameters,
	input: INodeExecutionData[],
	items: INodeExecutionData[],
) {
	const context = contextOf({ parameters, input, outputs: { Order: [items] } });
	try {
		await checkItemOfCall(context, new Entered(context), sendSms);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

const sameKey = 'The deduplication key is the same for all 2 items of the AI agent';
const unknown = 'comes from your data, but n8n does not say which item this call is for';

const often = "={{ $fromAI('often') }}" as 'key';
const keyed = (...deduplication: Parameters<typeof onceBy>) => ({
	...{ to: fromAi, options: onceBy(...deduplication) },
});

test.each<[string, ...Parameters<typeof refused>, string?]>([
	['several items at once', { to: ofItem }, rows, [], `'To' ${unknown}`],
	['the only item', { to: ofNode }, rows.slice(1), []],
	['nothing, from outside of a workflow', { to: fromAi }, [], []],
	['one of several', { to: ofItem }, [call('2')], rows, `'To' ${unknown}`],
	['one of several, from other nodes', { to: ofNode }, [call('2')], rows, `'To' ${unknown}`],
	['one of several, what the model gives', { to: fromAi, text: 'Hello' }, [call('2')], rows],
	['one of several, a part', { to: fromAi, text: both }, [call('2')], rows, `'Text' ${unknown}`],
	['one of several, the moment', { to: fromAi, text: '={{ $now }}' }, [call('2')], rows],
	['the only one', { to: ofItem, text: both }, [call('2', { order: '1' })], rows.slice(1)],
	['the only one, from other nodes', { to: ofNode }, [call('2')], rows.slice(1)],
	['one that the model has changed', { to: ofItem }, [call('3')], rows.slice(1)],
	['one of several, what is no item’s', { to: fromAi, text: ofNobody }, [call('2')], rows],
	['one of a later round of a loop', { to: ofItem }, [call('2', {}, 'Agent')], rows.slice(1)],
	['its other nodes', { to: ofNode }, [call('2', {}, 'Agent')], rows.slice(1), `'To' ${unknown}`],
	['several items, with the same key for all', keyed('={{ $now }}'), rows, [], sameKey],
	['several items, with a key without an expression', keyed('order'), rows, [], sameKey],
	['several items, where once per what differs', keyed('={{ $now }}', often), rows, [], sameKey],
	['several items, a key for each number', keyed('={{ $now }}', 'keyAndNumber'), rows, []],
])('given %s', async (_, parameters, input, items, ...[expected]) => {
	expect(await refused(parameters, input, items)).toBe(expected);
});

const from = (previousNode: string, previousNodeOutput?: number) => ({
	item: 0,
	sourceOverwrite: { previousNode, previousNodeOutput, previousNodeRun: 0 },
});

test.each<[string, INodeExecutionData['pairedItem'], string[], number]>([
	['the items of the output that leads to the agent', from('Order'), [], 3],
	['only that one of several outputs', from('Loop', 1), [], 1],
	['the node before the agent if that output is gone', from('Gone'), ['Order'], 3],
	['in a later round of a loop, the most of any node before', from('Agent'), ['Loop', 'Check'], 2],
	['one, if a loop returns one at a time', from('Agent'), ['Loop'], 1],
	['the node before the agent if n8n names no source', 0, ['Order'], 3],
	['one, if there is nothing', undefined, [], 1],
])('a review counts %s', (_, pairedItem, before, expected) => {
	const [none, one, two] = [0, 1, 2].map((count) => rows.slice(0, count)) as [[], [], []];
	const outputs = { Order: [[...one, ...two]], Loop: [none, one], Check: [none, two] };
	const context = contextOf({ input: [{ json: {}, pairedItem }], outputs, before });
	expect(itemsOfAgent(context).count).toBe(expected);
});
