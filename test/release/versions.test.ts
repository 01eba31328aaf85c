/** Each node has one version: see 'Versions of a node' in docs/internals/maintaining.md. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayStatusTrigger } from '../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import type { WorkflowJson } from '../../tools/host';

const root = path.join(__dirname, '../..');
const read = <T>(...names: string[]) =>
	JSON.parse(readFileSync(path.join(root, ...names), 'utf8')) as T;

const examples = readdirSync(path.join(root, 'examples'))
	.filter((name) => name.endsWith('.json'))
	.flatMap((name) => read<WorkflowJson>('examples', name).nodes);

it.each(
	[MessagingGateway, MessagingGatewayStatusTrigger, MessagingGatewayTrigger].map(
		(Node) => [Node.name, new Node().description] as const,
	),
)('%s: code, codex and examples have the same', (folder, description) => {
	const newest = Math.max(...[description.version].flat()).toFixed(1);
	const codex = read<{ node: string; nodeVersion: string }>('nodes', folder, `${folder}.node.json`);
	const used = examples.filter(({ type }) => type === codex.node);
	expect(used.length).toBeGreaterThan(0);
	expect(codex.nodeVersion).toBe(newest);
	expect(new Set(used.map(({ typeVersion }) => typeVersion.toFixed(1)))).toEqual(new Set([newest]));
});
