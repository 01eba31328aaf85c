/**
 * A process is killed in the middle of deliveries, and started again. The sender repeats what was not
 * answered; what was answered is executed, or lost with n8n's own Webhook node beside it as well.
 */
import type { QueueMode, QueueProcess } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { lazyExpressions } from '../../e2e/environment';
import { inParallel } from '../../e2e/trigger/inParallel';
import { TriggerWorkflow } from '../../e2e/trigger/triggerWorkflow';
import { node } from '../../../tools/shared/workflows';
import { Deliveries } from './deliveries';
import { describeInQueueMode, useQueueMode } from '../../e2e/queueMode/describe';

const COUNT = 300; // to each of the two nodes
const AT_ONCE = 20;

const victims: Array<[string, (n8n: QueueMode) => Pick<QueueProcess, 'kill' | 'restart'>]> = [
	['the webhook process', ({ webhooks }) => webhooks[0]!],
	['the main process', ({ main }) => main],
	['Redis', ({ redis }) => redis],
];

describeInQueueMode('deliveries', () => {
	const n8n = useQueueMode({ env: lazyExpressions });
	let workflow: TriggerWorkflow;
	let webhookUrl: string;

	beforeAll(async () => {
		const parameters = { path: 'deliveries', httpMethod: 'POST' };
		const more = { typeVersion: 2, webhookId: 'deliveries' };
		const beside = node('Webhook', 'n8n-nodes-base.webhook', parameters, more);
		workflow = await TriggerWorkflow.create(n8n.main, n8n.account, { beside });
		await workflow.publish();
		webhookUrl = `${n8n.webhooks[0]?.url}/webhook/deliveries`;
	});

	it.each(victims)('are executed once answered although %s is killed', async (name, victimOf) => {
		const toTrigger = new Deliveries(`${name}, trigger`, n8n.account.url);
		const toWebhook = new Deliveries(`${name}, webhook`, webhookUrl);
		const both = Array.from({ length: COUNT }, () => [toTrigger, toWebhook]).flat();
		const stream = inParallel(AT_ONCE, both, async (deliveries) => await deliveries.send());

		const victim = victimOf(n8n);
		await until('a third is answered', () => toTrigger.answered.length > COUNT / 3);
		await victim.kill();
		await victim.restart();
		await stream;
		await standstill(workflow);

		const executed = new Set((await workflow.storedExecutions()).map(idOf));
		const isLost = (id: string) => !executed.has(id);
		const lost = toTrigger.answered.filter(isLost);
		const lostByWebhook = toWebhook.answered.filter(isLost);
		console.log(
			`${name}: ${toTrigger.repeated} repeated and ${lost.length} lost of ${COUNT}, of as many to n8n's Webhook node ${toWebhook.repeated} and ${lostByWebhook.length}`,
		);
		expect(toTrigger.answered).toHaveLength(COUNT);
		expect(lost.slice(lostByWebhook.length)).toEqual([]);
	});
});

/**
 * Waits until all executions have ended, or none moves any more: one that the killed process has
 * created, and not yet put into the queue, stays new for ever. Its delivery was not answered.
 */
async function standstill(workflow: TriggerWorkflow): Promise<void> {
	let before = '';
	const isStill = async () => {
		const executions = await workflow.executions();
		const now = JSON.stringify(executions.map(({ id, status }) => [id, status]));
		const isSame = now === before && executions.every(({ status }) => status !== 'running');
		before = now;
		return isSame || executions.every(hasEnded);
	};
	await until('no execution moves any more', isStill, { interval: 10_000 });
}

const hasEnded = ({ status }: { status: string }): boolean =>
	status !== 'new' && status !== 'running';

type Stored = Awaited<ReturnType<TriggerWorkflow['storedExecutions']>>[number];

/** Of the delivery that the execution has taken to its end. */
function idOf({ data }: Stored): unknown {
	const [item] = data.resultData.runData.End?.[0]?.data?.main?.[0] ?? [];
	const body = item?.json.body as { messageId: string } | undefined; // of n8n's Webhook node
	return (body ?? item?.json)?.messageId;
}
