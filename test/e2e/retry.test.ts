/** n8n's Retry of a failed execution. After a restart: restart.test.ts; after every end: test/nightly/retry.test.ts. */
import { outputOf, type CredentialReference, type HostClient } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items, node } from '../../tools/shared/workflows';

const rows = Array.from({ length: 20 }, (_, index) => ({ to: String(5511900100000 + index) }));
const eleventh = rows[10]!.to;

describe('Retry of a failed execution', () => {
	let client: HostClient;
	let sandbox: Sandbox;
	let credential: CredentialReference;

	beforeAll(async () => {
		({ client } = await sharedHost());
		sandbox = await startSandbox();
		credential = await client.createCredential({ ...sandbox.credential, maxConcurrency: 1 });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.reset());

	const parameters = { to: '={{ $json.to }}', text: 'Hello', options: {} };
	const send = (more = {}) => gateway(credential, 'message', 'sendSms', parameters, more);
	const times = () => rows.map(({ to }) => sandbox.timesAccepted({ to }));
	const once = rows.map(() => 1);
	const retry = async (id: string) => await client.waitForExecution(await client.retry(id));

	it('goes on where it stopped', async () => {
		sandbox.fault({ to: eleventh, times: 1, fault: { status: 400 } });
		const failed = await client.execute(chain('List', ...items(...rows), send()));
		expect(failed.status).toBe('error');
		const before = sandbox.accepted();
		expect(before).toHaveLength(10);
		const retried = await retry(failed.id);
		expect(retried.status).toBe('success');
		expect(times()).toEqual(once);
		const output = outputOf(retried, 'Gateway').map(({ json }) => json);
		expect(output).toMatchObject(rows);
		expect(output.slice(0, 10)).toMatchObject(before.map(({ messageId }) => ({ messageId })));

		const again = await retry(failed.id); // of the first execution, once more
		expect(again.error?.message).toBe('This execution has already been retried');
		expect(times()).toEqual(once);
	});

	it('a sub-workflow that is called again sends only with keys once, and says so', async () => {
		const options = onceBy('={{ $json.to }}');
		const keyed = send({ parameters: { ...send().parameters, options } });
		const start = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', {
			inputSource: 'passthrough',
		});
		for (const [sending, said, sentTimes] of [
			[send(), 'Only a deduplication key prevents that', (index: number) => (index < 10 ? 2 : 1)],
			[keyed, 'The deduplication key keeps those 10 from being sent twice', () => 1],
		] as const) {
			sandbox.reset();
			sandbox.fault({ to: eleventh, times: 1, fault: { status: 400 } });
			const sub = chain('Sub-workflow', ...items(...rows), sending);
			sub.nodes[0] = { ...sub.nodes[0]!, ...start, typeVersion: 1.1 };
			const id = await client.createWorkflow(sub);
			await client.activate(id);
			const call = node(
				'Call',
				'n8n-nodes-base.executeWorkflow',
				{ workflowId: { __rl: true, mode: 'id', value: id } },
				{ typeVersion: 1.2 },
			);
			const failed = await client.execute(chain('Caller', call));
			const [{ id: execution } = { id: '' }] = await client.executions(id);
			const { error } = await client.waitForExecution(execution);
			expect(error?.description).toContain(said);
			expect((await retry(failed.id)).status).toBe('success');
			expect(times()).toEqual(rows.map((_, index) => sentTimes(index)));
		}
	});
});
