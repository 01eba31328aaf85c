/** n8n's Retry of a failed execution; after a restart, it is in restart.test.ts. */
import { fetchOnce, outputOf, type CredentialReference, type HostClient } from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items, node, startedByPost } from '../../tools/shared/workflows';

const rows = Array.from({ length: 20 }, (_, index) => ({ to: String(5511900100000 + index) }));
const eleventh = rows[10]!.to;

describe('Retry of a failed execution', () => {
	let client: HostClient;
	let url: string;
	let sandbox: Sandbox;
	let credential: CredentialReference;

	beforeAll(async () => {
		({ client, url } = await sharedHost());
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

	it.each([1, 20])(
		'sends nothing of %i items after Stop, of which n8n keeps no record',
		async (count) => {
			sandbox.fault({ skip: count === 1 ? 0 : 5, fault: { delayMs: 60_000 } });
			const path = `stopped-${count}`;
			const list = chain('List', ...items(...rows.slice(0, count)), send());
			const workflow = await client.createWorkflow(startedByPost(path, 'onReceived', list));
			await client.activate(workflow);
			await fetchOnce(`${url}/webhook/${path}`, { method: 'POST' });
			await until('it sends', () => sandbox.requests().length > (count === 1 ? 0 : 5));
			const [{ id } = { id: '' }] = await client.executions(workflow);
			await client.cancel(id);
			const stopped = await client.waitForExecution(id);
			expect(stopped.status).toBe('canceled');
			sandbox.clearFaults();
			const { length } = sandbox.requests();
			const byApi = async () => {
				const path = `/executions/${id}/retry`;
				const { id: retried } = await client.askPublicApi<{ id: number }>('POST', path, [
					'execution:retry',
				]);
				return await client.waitForExecution(String(retried));
			};
			for (const { error } of [await retry(id), await byApi()]) {
				expect(error?.message).toMatch(/^The message may have been sent: n8n kept no record/);
			}
			expect(sandbox.requests()).toHaveLength(length);
		},
	);

	it('sends nothing after a node before it failed, as n8n does not show that it had not begun', async () => {
		sandbox.fault({ operation: 'getWebhook', times: 1, fault: { status: 400 } });
		const get = { ...gateway(credential, 'webhook', 'get'), name: 'Before' };
		const workflow = (options: object) =>
			chain(
				'List',
				get,
				...items(...rows),
				send({ parameters: { ...send().parameters, options } }),
			);
		const failed = await client.execute(workflow({}));
		const { error } = await retry(failed.id);
		expect(error?.message).toMatch(/^The message may have been sent: n8n kept no record/);
		expect(times()).toEqual(rows.map(() => 0));

		sandbox.fault({ operation: 'getWebhook', times: 1, fault: { status: 400 } });
		const keyed = await client.execute(workflow(onceBy('={{ $json.to }}')));
		expect((await retry(keyed.id)).status).toBe('success');
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
