/**
 * Deduplication keys kept by the workflows in examples/, with three workers. With more of them:
 * `KEYS=1000 npx jest --selectProjects e2e -- queueMode/deduplication`.
 */
import { outputOf, type CredentialReference, type WorkflowJson } from '../../../tools/host';
import { startQueueMode, type QueueMode } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { Account } from '../../e2e/trigger/account';
import { inParallel } from '../../e2e/trigger/inParallel';
import { onceBy } from '../../../tools/shared/deduplication';
import { chain, gateway, items, startedByPost } from '../../../tools/shared/workflows';
import { describeInQueueMode } from '../../e2e/queueMode/describe';
import { keyStores, publishKeyStore } from '../../e2e/queueMode/keyStores';
import { postTo, publishIn } from '../../e2e/queueMode/workflows';

jest.setTimeout(1_800_000);

const KEYS = Number(process.env.KEYS ?? 60);
const AT_ONCE = 40;

describeInQueueMode('keys in a database', () => {
	let n8n: QueueMode;
	let account: Account;

	beforeAll(async () => {
		const env = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
		n8n = await startQueueMode({ workers: 3, env });
		account = await Account.open(n8n.main.client);
	});
	afterAll(async () => {
		await account?.close();
		await n8n?.stop();
	});

	const publish = async (workflow: WorkflowJson) => await publishIn(n8n.main.client, workflow);
	const post = async (path: string, body: object) => await postTo(n8n.webhooks[0]!.url, path, body);

	describe.each(keyStores)('of $database', (keyStore) => {
		const { database, type } = keyStore;
		let credential: CredentialReference;
		const numbers = (count: number, from: number) =>
			Array.from({ length: count }, (_, index) =>
				String((type === 'redis' ? 5521900100000 : 5511900100000) + from + index),
			);
		const send = (text: string, to: string) =>
			gateway(
				credential,
				'message',
				'sendSms',
				{ to, text, options: onceBy(to) },
				{ onError: 'continueRegularOutput' },
			);

		beforeAll(async () => {
			const { client } = n8n.main;
			const { rules } = await publishKeyStore(client, keyStore, n8n.credentials[type]);
			credential = await account.credentialWith(rules);
		});
		afterEach(() => account.sandbox.clearFaults());

		it('no key is lost, and no pair sent twice', async () => {
			const path = `orders-${type}`;
			const order = chain('Order', send('Your order', '={{ $json.body.to }}'));
			await publish(startedByPost(path, 'lastNode', order));
			const ask = async (to: string) => JSON.stringify(await (await post(path, { to })).json());

			const keys = numbers(KEYS, 0);
			await inParallel(AT_ONCE, keys, ask);
			const again = await inParallel(AT_ONCE, keys, ask);
			expect(again.filter((json) => !json.includes('"skipped":true'))).toEqual([]);

			const pairs = numbers(KEYS / 2, KEYS);
			const answers = await inParallel(AT_ONCE / 2, pairs, async (to) =>
				Promise.all([ask(to), ask(to)]),
			);
			for (const pair of answers) {
				expect(pair.filter((json) => json.includes('"messageId"'))).toHaveLength(1);
			}
			// A delivery that comes twice at the same moment is no error.
			const skipped = answers.flat().filter((json) => json.includes('"skipped":true')).length;
			expect(skipped).toBeGreaterThanOrEqual(0.96 * pairs.length);
			const times = [...keys, ...pairs].map((to) => account.sandbox.timesAccepted({ to }));
			expect(new Set(times)).toEqual(new Set([1]));
			console.log(
				`${database}: ${KEYS} keys, none lost; ${pairs.length} pairs, each sent once, ${skipped} of the others skipped`,
			);
		});

		it('where a worker is killed, nothing is sent twice or missing without a word', async () => {
			const path = `list-${type}`;
			const list = numbers(KEYS, 10_000_000);
			const rows = items(...list.map((to) => ({ to })));
			const text = `We have moved, ${database}`;
			const workflow = chain('List', ...rows, send(text, '={{ $json.to }}'));
			const id = await publish(startedByPost(path, 'onReceived', workflow));
			const { client } = n8n.main;
			const start = async () => {
				await post(path, {});
				return (await client.executions(id))[0]!.id;
			};
			const sent = () => account.sandbox.accepted({ text }).length;
			account.sandbox.fault({ operation: 'sendSms', fault: { delayMs: 100 } });

			const first = await start();
			await until('a third is sent', () => sent() > KEYS / 3, { interval: 10 });
			const isHis = `started execution ${first} `;
			const worker = n8n.workers.find((each) => each.logs().includes(isHis))!;
			await worker.kill();
			await worker.restart();
			const sentBefore = sent();
			expect(sentBefore).toBeLessThan(KEYS);

			const again = await client.waitForExecution(await start());
			const said = outputOf(again, 'Gateway').map(({ json }) => JSON.stringify(json));
			const inDoubt = said.filter((json) => json.includes('may have been sent'));
			for (const [index, to] of list.entries()) {
				const times = account.sandbox.timesAccepted({ to });
				expect(times).toBeLessThanOrEqual(1);
				if (times === 0) expect(said[index]).toContain('may have been sent');
			}
			console.log(
				`${database}: killed after ${sentBefore} of ${KEYS}; none sent twice, ${inDoubt.length} in doubt, which is said`,
			);
		});
	});
});
