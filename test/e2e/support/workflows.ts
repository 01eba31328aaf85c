/** Workflows that several tests are made of. */
import type { INode, INodeParameters } from 'n8n-workflow';
import type { CredentialReference, WorkflowJson } from '../../../tools/host';
import { chain, gateway, node } from '../../../tools/shared/workflows';

type Step = Omit<INode, 'id' | 'position'>;

/** An SMS to the number of each item. */
export const smsToEach = (
	credential: CredentialReference,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): Step => {
	const sms = { to: '={{ $json.to }}', text: 'Hello', ...parameters };
	return gateway(credential, 'message', 'sendSms', sms, more);
};

/** So many items, each with another number. */
export const numbered = (count: number, first = 5511900100000): Array<{ to: string }> =>
	Array.from({ length: count }, (_, index) => ({ to: `+${first + index}` }));

/** The workflow, called by another one instead of started by hand. */
export function called(workflow: WorkflowJson): WorkflowJson {
	Object.assign(workflow.nodes[0]!, {
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	return workflow;
}

/** Calls such a workflow, by default once with all items. */
export const call = (id: string, parameters: INodeParameters = {}): Step =>
	node(
		'Call',
		'n8n-nodes-base.executeWorkflow',
		{ workflowId: { __rl: true, mode: 'id', value: id }, options: {}, ...parameters },
		{ typeVersion: 1.2 },
	);

/** A node that has the items of others, so many at a time. */
export function inLoop(name: string, others: Step[], step: Step, batchSize = 1): WorkflowJson {
	const loop = 'n8n-nodes-base.splitInBatches';
	const parameters = { batchSize, options: {} };
	const workflow = chain(name, ...others, node('Loop', loop, parameters, { typeVersion: 3 }), step);
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	workflow.connections.Loop = { main: [[], to(step.name)] };
	workflow.connections[step.name] = { main: [to('Loop')] };
	return workflow;
}
