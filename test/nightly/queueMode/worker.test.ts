/**
 * A worker is killed, or stands still as on a machine that swaps, while it sends a list. `N8N_FOLDER` tests
 * another n8n than the pinned one.
 */
import { fetchOnce, outputOf } from '../../../tools/host';
import { chosen } from '../../../tools/host/paths';
import { startQueueMode, type QueueMode } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { onceBy } from '../../../tools/shared/deduplication';
import { chain, gateway, items, startedByPost } from '../../../tools/shared/workflows';
import { describeInQueueMode } from '../../e2e/queueMode/describe';
import { Account } from '../../e2e/trigger/account';

describeInQueueMode('a worker', () => {
	let n8n: QueueMode;
	let account: Account;

	beforeAll(async () => {
		n8n = await startQueueMode({ n8n: chosen });
		account = await Account.open(n8n.main.client);
	});
	beforeEach(() => account.sandbox.reset());
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	const workerOf = (execution: string) => {
		const isIts = `started execution ${execution} `;
		return n8n.workers.find((each) => each.logs().includes(isIts))!;
	};

	it('that is killed: without keys, neither n8n nor its Retry sends anything again', async () => {
		const { client } = n8n.main;
		const { sandbox, credential } = account;
		const rows = Array.from({ length: 20 }, (_, index) => ({ to: String(5511900100000 + index) }));
		sandbox.fault({ skip: 10, times: 10, fault: { delayMs: 3_600_000 } });
		const parameters = { to: '={{ $json.to }}', text: 'Hello' };
		const send = gateway(credential, 'message', 'sendSms', parameters);
		const list = chain('List', ...items(...rows), send);
		const workflow = await client.createWorkflow(startedByPost('list', 'onReceived', list));
		expect((await client.activate(workflow)).status).toBe('published');
		const post = async () =>
			await fetchOnce(`${n8n.webhooks[0]!.url}/webhook/list`, { method: 'POST' });
		await post();
		await until('all are on their way', () => sandbox.requests().length === rows.length);
		const [{ id } = { id: '' }] = await client.executions(workflow);
		const worker = workerOf(id);
		await worker.kill();

		const ended = await client.waitForExecution(id); // the other worker could have run it again
		expect(sandbox.requests()).toHaveLength(rows.length);
		expect(ended.status).toBe('error');
		const retried = await client.waitForExecution(await client.retry(id));
		expect(sandbox.requests()).toHaveLength(rows.length);
		expect(retried.status).toBe('error');

		await post(); // somebody runs the workflow again
		await until('all are sent again', () => sandbox.requests().length === 2 * rows.length);
		await worker.restart();
		await client.deactivate(workflow);
	});

	it('that stands still until n8n gives it up, and then goes on, sends nothing twice', async () => {
		const { client } = n8n.main;
		const { sandbox, credential } = account;
		const rows = Array.from({ length: 200 }, (_, index) => ({ to: String(5521900100000 + index) }));
		const parameters = {
			to: '={{ $json.to }}',
			text: 'We have moved',
			options: onceBy('={{ $json.to }}'),
		};
		const goOn = { onError: 'continueRegularOutput' } as const;
		const send = gateway(credential, 'message', 'sendSms', parameters, goOn);
		const id = await client.createWorkflow(
			startedByPost('campaign', 'onReceived', chain('Campaign', ...items(...rows), send)),
		);
		expect((await client.activate(id)).status).toBe('published');
		const start = async () => {
			const earlier = (await client.executions(id)).length;
			await fetchOnce(`${n8n.webhooks[0]!.url}/webhook/campaign`, { method: 'POST' });
			const executions = await client.executions(id);
			expect(executions).toHaveLength(earlier + 1);
			return executions[0]!.id;
		};
		const sent = () => sandbox.accepted({ text: parameters.text }).length;
		sandbox.fault({ operation: 'sendSms', fault: { delayMs: 200 } });

		const first = await start();
		await until('a third is sent', () => sent() > rows.length / 3, { interval: 10 });
		const worker = workerOf(first);
		worker.pause();
		const givenUp = await client.waitForExecution(first);
		expect(givenUp.error?.message).toContain('failed to be processed too many times');
		const sentBefore = sent();
		expect(sentBefore).toBeLessThan(rows.length);
		worker.resume();
		await until('it has ended', () => worker.logs().includes(`finished execution ${first} `));
		expect(sent()).toBeGreaterThan(sentBefore);

		// What was on its way when the worker stood still has timed out: it may have been sent, or not.
		const again = await client.waitForExecution(await start());
		const said = outputOf(again, 'Gateway').map(({ json }) => JSON.stringify(json));
		const unanswered = said.filter((json) => json.includes('may have been sent'));
		const skipped = said.filter((json) => json.includes('"skipped":true'));
		expect(skipped.length + unanswered.length).toBe(rows.length);
		for (const [index, { to }] of rows.entries()) {
			const times = sandbox.timesAccepted({ to });
			expect(times).toBeLessThanOrEqual(1);
			if (times === 0) expect(said[index]).toContain('may have been sent');
		}
		await client.deactivate(id);
	});
});
