/**
 * A process is killed in the middle of deliveries, and started again. The sender repeats what was not
 * answered; what was answered is executed, or lost with n8n's own Webhook node beside it as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { postJson } from '../../../tools/host';
import type { QueueMode, QueueProcess } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { lazyExpressions } from '../../e2e/environment';
import { inParallel } from '../../e2e/trigger/inParallel';
import { TriggerWorkflow } from '../../e2e/trigger/triggerWorkflow';
import { node } from '../../../tools/shared/workflows';
import { describeInQueueMode, useQueueMode } from '../../e2e/queueMode/describe';

const COUNT = 300; // to each of the two nodes
const AT_ONCE = 20;
const PAUSE = 200; // ms before a delivery is repeated
const PATIENCE = 20_000; // ms until an answer is given up

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
		const toTrigger = deliveriesTo(`${name}, trigger`, n8n.account.url);
		const toWebhook = deliveriesTo(`${name}, webhook`, webhookUrl);
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
		expect(toTrigger.answered).toHaveLength(COUNT);
		expect(lost.slice(lostByWebhook.length)).toEqual([]);
	});
});

/** Notifications to one address, each sent again, under an id of its own, until it is answered. */
function deliveriesTo(name: string, url: string) {
	let sent = 0;
	const answered: string[] = [];
	const isAnswered = async (messageId: string) => {
		const signal = AbortSignal.timeout(PATIENCE);
		const response = await postJson(url, { messageId }, { signal });
		const body = await response.text();
		// While n8n's database is being prepared, it answers 200 with this to whatever it is asked.
		return response.status === 200 && !body.startsWith('n8n is starting up');
	};
	return {
		/** Their ids. */
		answered,
		async send(): Promise<void> {
			for (;;) {
				const messageId = `${name} ${++sent}`;
				if (await isAnswered(messageId).catch(() => false)) return void answered.push(messageId);
				await sleep(PAUSE);
			}
		},
	};
}

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
