import { randomUUID } from 'node:crypto';
import type { Host, WorkflowJson } from '../host';

/** @returns the id of a published workflow with this node and a No Operation node */
export async function publish(
	{ client }: Host,
	node: Pick<WorkflowJson['nodes'][number], 'type' | 'typeVersion' | 'parameters' | 'credentials'>,
): Promise<string> {
	const end = { name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const id = await client.createWorkflow({
		name: node.type,
		nodes: [
			{ ...node, name: 'Start', id: randomUUID(), webhookId: randomUUID(), position: [0, 0] },
			{ ...end, id: randomUUID(), position: [220, 0] },
		],
		connections: { Start: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
	});
	const { status } = await client.activate(id);
	if (status !== 'published') throw new Error(`${node.type}: ${status}`);
	return id;
}
