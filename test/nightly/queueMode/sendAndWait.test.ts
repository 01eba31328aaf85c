/** Questions by SMS with several processes, which are killed between the question and the answer. */
import type { QueueMode, QueueProcess } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { numbered } from '../../e2e/support/workflows';
import { inParallel } from '../../e2e/trigger/inParallel';
import { answer, ask, cameOut, linksTo, reply, yesOrNo } from '../../e2e/wait/question';
import { chain, startedByPost } from '../../../tools/shared/workflows';
import { describeInQueueMode, useQueueMode } from '../../e2e/queueMode/describe';

const COUNT = 10; // questions before each kill
const AT_ONCE = 5;

/**
 * What is killed, and whether the answers come while it is away. What nobody is left to go on with,
 * n8n takes for crashed when its worker is back, as with its own Wait node: see docs/send-and-wait.md.
 */
const victims: Array<
	[string, 'away' | 'back', (n8n: QueueMode) => Array<Pick<QueueProcess, 'kill' | 'restart'>>]
> = [
	['the main process', 'away', ({ main }) => [main]],
	['one of two workers', 'away', ({ workers }) => workers.slice(0, 1)],
	['every worker', 'back', ({ workers }) => workers],
	['every webhook process', 'back', ({ webhooks }) => webhooks],
];

describeInQueueMode('questions', () => {
	const n8n = useQueueMode({ webhooks: 2 });
	beforeEach(() => n8n.account.sandbox.reset());
	let workflowId: string;

	beforeAll(async () => {
		const { credential } = n8n.account;
		const question = ask(credential, { to: '={{ $json.body.to }}', ...yesOrNo });
		const after = reply(credential, '={{ $("Webhook").item.json.body.to }}');
		workflowId = await n8n.main.client.publish(
			startedByPost('ask', 'onReceived', chain('Ask', question, after)),
		);
	});

	const numbers = numbered(COUNT).map(({ to }) => to);

	/** Asks everybody, and waits until all executions wait. */
	async function askAll(): Promise<void> {
		const before = (await n8n.main.client.executions(workflowId)).length;
		await inParallel(AT_ONCE, numbers, async (to) => await n8n.post('ask', { to }));
		const areAsked = async () => {
			const executions = await n8n.main.client.executions(workflowId);
			const waiting = executions.filter(({ status }) => status === 'waiting');
			return executions.length === before + COUNT && waiting.length === COUNT;
		};
		await until('everybody is asked', areAsked, { interval: 500 });
	}

	const isBack = (to: string): boolean => cameOut(n8n.account.sandbox, to).length > 0;

	/** Every second one says yes. */
	const isYes = (to: string): boolean => Number(to) % 2 === 0;

	/** Everybody was asked once, and what came out once is the answer. */
	async function expectEachOnce(): Promise<void> {
		const haveEnded = async () =>
			(await n8n.main.client.executions(workflowId)).every(({ status }) => status === 'success');
		await until('all have ended', haveEnded, { limit: 300_000, interval: 500 });
		for (const to of numbers) {
			expect(linksTo(n8n.account.sandbox, to)).toHaveLength(1);
			expect(cameOut(n8n.account.sandbox, to)).toMatchObject([
				{ data: { approved: isYes(to) }, sent: { to } },
			]);
		}
	}

	it.each(victims)('%s killed after the questions, and %s: all go on once', async (_, when, of) => {
		await askAll();
		const killed = of(n8n);
		const restart = async () => await Promise.all(killed.map(async (each) => await each.restart()));
		await Promise.all(killed.map(async (each) => await each.kill()));
		if (when === 'back') await restart();
		const statuses = await inParallel(AT_ONCE, numbers, async (to) => {
			const [link = ''] = linksTo(n8n.account.sandbox, to);
			return (await answer(link, isYes(to) ? 'approve' : 'disapprove')).status;
		});
		expect(new Set(statuses)).toEqual(new Set([200]));
		await until('all have gone on', () => numbers.every(isBack), { limit: 300_000 });
		if (when === 'away') await restart();
		await expectEachOnce();
	});
});
