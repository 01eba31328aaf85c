/** 2,000 deliveries, 50 at a time: each is answered, and each starts the workflow exactly once. */
import { fetchOnce, startHost, type Execution } from '../../tools/host';
import { until } from '../../tools/host/until';
import { Account } from '../e2e/trigger/account';
import { inParallel } from '../e2e/trigger/inParallel';
import { TriggerWorkflow } from '../e2e/trigger/triggerWorkflow';

it('executes each of 2,000 deliveries once', async () => {
	// By default n8n 2.40 makes a sandbox for expressions for each delivery, needed or not. This takes
	// minutes here; see docs/measurements/benchmarks.md.
	const host = await startHost({ env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } });
	const account = await Account.open(host.client);
	try {
		const workflow = await TriggerWorkflow.create(host, account);
		await workflow.publish();

		const ids = Array.from({ length: 2_000 }, (_, index) => `m-${index}`);
		const statuses = await inParallel(50, ids, async (messageId) => {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify({ messageId });
			const response = await fetchOnce(account.url, { method: 'POST', headers, body });
			await response.arrayBuffer();
			return response.status;
		});
		expect(new Set(statuses)).toEqual(new Set([200]));

		const haveEnded = async () => {
			const executions = await workflow.executions();
			return executions.length >= ids.length && executions.every(hasSucceeded);
		};
		await until('all have been executed', haveEnded, { interval: 3_000 });
		const executed = (await workflow.storedExecutions()).map(({ data }) => {
			const items = data.resultData.runData.End?.[0]?.data?.main?.[0] ?? [];
			return items.map(({ json }) => json.messageId).join();
		});
		expect(executed.sort()).toEqual([...ids].sort());
		await workflow.unpublish();
	} finally {
		await account.close();
		await host.stop();
	}
});

const hasSucceeded = ({ status }: Execution): boolean => status === 'success';
