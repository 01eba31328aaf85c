import { randomUUID } from 'node:crypto';
import type { Host, WorkflowJson } from '../host';

/** @returns the id of a published workflow with this node and a No Operation node */
export async function publish(
	{ client }: Host,
	node: Pick<WorkflowJson['nodes'][number], 'type' | 'typeVersion' | 'parameters' | 'credentials'>,
): Promise<string> {
	const end = { name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	return await client.publish({
		name: node.type,
		nodes: [
			{ ...node, name: 'Start', id: randomUUID(), webhookId: randomUUID(), position: [0, 0] },
			{ ...end, id: randomUUID(), position: [220, 0] },
		],
		connections: { Start: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
	});
}
