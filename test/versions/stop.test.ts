/**
 * Stopping an execution while the node waits. n8n shows it as canceled at once, whatever the node
 * does; a node that waited on would keep its deduplication keys claimed, and a run right after it
 * could not send. Jest's time limit, well below each wait, is the clock.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf, type HostClient } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from '../e2e/sharedHost';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items } from '../../tools/shared/workflows';

let client: HostClient;
let sandbox: Sandbox;

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const rows = ['11', '12'].map((end) => ({ to: `55119123456${end}` }));

async function createWorkflow(rules: object): Promise<string> {
	const credential = await client.createCredential({ ...sandbox.credential, ...rules });
	const send = {
		to: '={{ $json.to }}',
		text: 'Hello',
		options: onceBy('={{ $json.to }}'),
	};
	const workflow = chain(
		'Stopped',
		...items(...rows),
		gateway(credential, 'message', 'sendSms', send),
	);
	return await client.createWorkflow(workflow);
}

it.each([
	['the wait that the service asked for', {}, 60],
	["the wait of 'Requests per Second'", { requestsPerSecond: 0.02 }, 0],
])('ends %s', async (_, rules, retryAfter) => {
	if (retryAfter > 0) sandbox.fault({ fault: { tooMany: true, retryAfter } });
	const id = await createWorkflow(rules);
	const stopped = await client.run(id);
	await until('the service has answered', () => sandbox.requests().length > 0);
	await sleep(500); // the answers arrive, and the node waits
	await client.cancel(stopped);
	expect((await client.waitForExecution(stopped)).status).toBe('canceled');

	sandbox.clearFaults();
	const execution = await client.waitForExecution(await client.run(id));
	expect(execution.error).toBeUndefined();
	expect(outputOf(execution, 'Gateway')).toHaveLength(2);
	for (const { to } of rows) expect(sandbox.timesAccepted({ to })).toBe(1);
});
