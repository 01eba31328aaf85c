/**
 * A worker is killed, or stands still as on a machine that swaps, while it sends a list. `N8N_FOLDER` tests
 * another n8n than the pinned one.
 */
import { chosen } from '../../../tools/host/paths';
import { until } from '../../../tools/host/until';
import { onceBy } from '../../../tools/shared/deduplication';
import { chain, items, startedByPost } from '../../../tools/shared/workflows';
import { describeInQueueMode, useQueueMode } from '../../e2e/queueMode/describe';
import { numbered, smsToEach } from '../../e2e/support/workflows';
import { expectOnceOrSaid } from '../onceOrSaid';

describeInQueueMode('a worker', () => {
	const n8n = useQueueMode({ n8n: chosen });
	beforeEach(() => n8n.account.sandbox.reset());

	it('that is killed: without keys, neither n8n nor its Retry sends anything again', async () => {
		const { client } = n8n.main;
		const { sandbox, credential } = n8n.account;
		const rows = numbered(20);
		sandbox.fault({ skip: 10, times: 10, fault: { delayMs: 3_600_000 } });
		const list = chain('List', ...items(...rows), smsToEach(credential));
		const workflow = await client.publish(startedByPost('list', 'onReceived', list));
		await n8n.post('list');
		await until('all are on their way', () => sandbox.requests().length === rows.length);
		const id = await client.newest(workflow);
		const worker = n8n.workerOf(id)!;
		await worker.kill();

		const ended = await client.waitForExecution(id); // the other worker could have run it again
		expect(sandbox.requests()).toHaveLength(rows.length);
		expect(ended.status).toBe('error');
		const retried = await client.waitForExecution(await client.retry(id));
		expect(sandbox.requests()).toHaveLength(rows.length);
		expect(retried.status).toBe('error');

		await n8n.post('list'); // somebody runs the workflow again
		await until('all are sent again', () => sandbox.requests().length === 2 * rows.length);
		await worker.restart();
		await client.deactivate(workflow);
	});

	it('that stands still until n8n gives it up, and then goes on, sends nothing twice', async () => {
		const { client } = n8n.main;
		const { sandbox, credential } = n8n.account;
		const rows = numbered(200, 5521900100000);
		const options = onceBy('={{ $json.to }}');
		const send = smsToEach(credential, { options }, { onError: 'continueRegularOutput' });
		const campaign = chain('Campaign', ...items(...rows), send);
		const id = await client.publish(startedByPost('campaign', 'onReceived', campaign));
		const sent = () => sandbox.accepted().length;
		sandbox.fault({ operation: 'sendSms', fault: { delayMs: 200 } });

		await n8n.post('campaign');
		await until('a third is sent', () => sent() > rows.length / 3, { interval: 10 });
		const first = await client.newest(id);
		const worker = n8n.workerOf(first)!;
		worker.pause();
		const givenUp = await client.waitForExecution(first);
		expect(givenUp.error?.message).toContain('failed to be processed too many times');
		const sentBefore = sent();
		expect(sentBefore).toBeLessThan(rows.length);
		worker.resume();
		await until('it has ended', () => worker.logs().includes(`finished execution ${first} `));
		expect(sent()).toBeGreaterThan(sentBefore);

		// What was on its way when the worker stood still has timed out: it may have been sent, or not.
		await n8n.post('campaign');
		const again = await client.waitForExecution(await client.newest(id));
		expect(expectOnceOrSaid(sandbox, rows, again).sent).toEqual([]);
	});
});
