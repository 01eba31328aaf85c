/** Each node has one version: see 'Versions of a node' in docs/internals/maintaining.md. */

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayStatusTrigger } from '../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { exampleFiles, readExample } from '../../tools/host/examples';
import { read } from './files';

const examples = exampleFiles().flatMap((file) => readExample(file).nodes);

it.each(
	[MessagingGateway, MessagingGatewayStatusTrigger, MessagingGatewayTrigger].map(
		(Node) => [Node.name, new Node().description] as const,
	),
)('%s: code, codex and examples have the same', (folder, description) => {
	const newest = Math.max(...[description.version].flat()).toFixed(1);
	const codex = JSON.parse(read('nodes', folder, `${folder}.node.json`)) as Record<string, string>;
	const used = examples.filter(({ type }) => type === codex.node);
	expect(used.length).toBeGreaterThan(0);
	expect(codex.nodeVersion).toBe(newest);
	expect(new Set(used.map(({ typeVersion }) => typeVersion.toFixed(1)))).toEqual(new Set([newest]));
});
