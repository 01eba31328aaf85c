/** Deduplication keys of a node that runs several times in an execution. */
import type { CredentialReference, HostClient } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from '../e2e/sharedHost';
import { chain, gateway, node } from '../../tools/shared/workflows';

let sandbox: Sandbox;
let client: HostClient;
let account: CredentialReference;

beforeAll(async () => {
	sandbox = await startSandbox();
	({ client } = await sharedHost());
	account = await client.createCredential(sandbox.credential);
});
afterAll(async () => await sandbox?.close());

/** The nodes that give so many numbers. */
const numbers = (name: string, count: number, first: number) => [
	node(
		`${name} Rows`,
		'n8n-nodes-base.set',
		{
			mode: 'raw',
			jsonOutput: `={{ { rows: Array.from({ length: ${count} }, (_, index) => ({ to: String(5511900100000 + ${first} + index) })) } }}`,
		},
		{ typeVersion: 3.4 },
	),
	node(name, 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows' }),
];

it('a run that would push keys of earlier runs out of the store sends nothing, nor does its Retry', async () => {
	const options = { deduplicationKey: '={{ $json.to }}' };
	const send = gateway(account, 'message', 'sendSms', {
		to: '={{ $json.to }}',
		text: 'Hello',
		options,
	});
	const workflow = chain('Loop', ...numbers('Few', 2, 0), send);
	const many = numbers('Many', 19_999, 2).map((each, index) => ({
		...each,
		id: each.name,
		position: [index * 220, 300] as [number, number],
	}));
	workflow.nodes.push(...many);
	const to = (name: string) => ({ node: name, type: 'main', index: 0 }) as const;
	workflow.connections.Start = { main: [[to('Few Rows'), to('Many Rows')]] };
	workflow.connections['Many Rows'] = { main: [[to('Many')]] };
	workflow.connections.Many = { main: [[to('Gateway')]] };

	const id = await client.createWorkflow({ ...workflow, settings: { executionOrder: 'v1' } });
	const refused = expect.stringContaining('and with this run it would have 20001');
	const first = await client.waitForExecution(await client.run(id));
	expect(first.error?.message).toEqual(refused);
	expect(sandbox.requests()).toHaveLength(2);

	const again = await client.waitForExecution(await client.retry(first.id));
	expect(again.error?.message).toEqual(refused);
	expect(sandbox.requests()).toHaveLength(2);
});
