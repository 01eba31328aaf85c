/** test/nightly/agentRows.test.ts has what n8n's agents really give their tools. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Entered } from '../../../nodes/form/item';
import { sendSms } from '../../../nodes/MessagingGateway/operations/message/sendSms';
import { checkItemOfCall } from '../../../nodes/MessagingGateway/run/agents';
import { makeContext } from '../../../tools/shared/context';
import { onceBy } from '../../../tools/shared/deduplication';

const rows: INodeExecutionData[] = [{ json: { phone: '1' } }, { json: { phone: '2' } }];
const fromAi = "={{ $fromAI('To', 'Number') }}";
const ofItem = '={{ $json.phone }}';
const ofNode = "={{ $('Order').item.json.phone }}";

/** The item that n8n makes of a call by an agent of version 3. */
const call = (json: IDataObject, previousNode = 'Order'): INodeExecutionData => ({
	json: { ...json, toolCallId: 'call-1' },
	pairedItem: { item: 0, sourceOverwrite: { previousNode, previousNodeRun: 0 } },
});

interface Given {
	parameters: INodeParameters;
	/** What `$json` is taken from. */
	input: INodeExecutionData[];
	/** Of the agent. */
	items?: INodeExecutionData[];
}

/** The field that is refused, and why. */
function refused({ parameters, input, items = [] }: Given) {
	const context = makeContext({ node: { type: 'messagingGatewayTool' }, parameters });
	context.getInputData = () => input;
	context.getParentNodes = (of, { connectionType } = {}) => {
		const tools = of === 'Agent' ? [context.getNode().name] : [];
		return (connectionType === 'main' ? ['Order'] : tools).map((name) => ({ name })) as never;
	};
	context.getWorkflowDataProxy = () =>
		({
			$prevNode: { name: 'Agent' },
			$input: {
				all() {
					if (input.length > 0) return input;
					throw new Error('No execution data available');
				},
			},
			$items(_: string, output: number) {
				if (output === 0) return items;
				throw new Error('There is no such output');
			},
		}) as never;
	try {
		checkItemOfCall(context, new Entered(context), sendSms);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

const sameKey = 'The deduplication key is the same for all 2 items of the AI agent';
const unknown = 'comes from your data, but n8n does not say which item this call is for';

test.each<[string, Given, string | undefined]>([
	['several items at once', { parameters: { to: ofItem }, input: rows }, `'To' ${unknown}`],
	['the only item', { parameters: { to: ofNode }, input: rows.slice(1) }, undefined],
	['nothing, from outside of a workflow', { parameters: { to: fromAi }, input: [] }, undefined],
	[
		'one of several',
		{ parameters: { to: ofItem }, input: [call({ phone: '2' })], items: rows },
		undefined,
	],
	[
		'one of several, but not to other nodes',
		{ parameters: { to: ofNode }, input: [call({ phone: '2' })], items: rows },
		`'To' ${unknown}`,
	],
	[
		'one that the model has changed',
		{ parameters: { to: ofItem }, input: [call({ phone: '3' })], items: rows },
		`'To' ${unknown}`,
	],
	[
		'one in which the model gives what a field asks for',
		{
			parameters: { to: ofItem, text: "={{ $fromAI('order') }}" },
			input: [call({ phone: '2', order: 'given' })],
			items: [{ json: { phone: '2', order: 'old' } }],
		},
		undefined,
	],
	[
		'one in a later round of a loop',
		{ parameters: { to: ofItem }, input: [call({ phone: '2' }, 'Agent')], items: rows.slice(1) },
		undefined,
	],
	[
		'one in a later round of a loop, but not to other nodes',
		{ parameters: { to: ofNode }, input: [call({ phone: '2' }, 'Agent')], items: rows.slice(1) },
		`'To' ${unknown}`,
	],
	[
		'several items, with the same key for all',
		{ parameters: { to: fromAi, options: onceBy('={{ $now }}') }, input: rows },
		sameKey,
	],
	[
		'several items, with one key without an expression',
		{ parameters: { to: fromAi, options: onceBy('order') }, input: rows },
		sameKey,
	],
	[
		'several items, where only how often a key may be used differs by call',
		{
			parameters: {
				to: fromAi,
				options: onceBy('={{ $now }}', "={{ $fromAI('often') }}" as 'key'),
			},
			input: rows,
		},
		sameKey,
	],
	[
		'several items, with the same key for each number',
		{
			parameters: {
				to: fromAi,
				options: onceBy('={{ $now }}', 'keyAndNumber'),
			},
			input: rows,
		},
		undefined,
	],
])('given %s', (_, given, expected) => {
	expect(refused(given)).toBe(expected);
});
