/**
 * Deduplication keys kept by the workflows in examples/, with three workers. With more of them:
 * `KEYS=1000 npx jest --selectProjects nightly -- queueMode/deduplication`.
 */
import type { CredentialReference } from '../../../tools/host';
import { until } from '../../../tools/host/until';
import { onceBy } from '../../../tools/shared/deduplication';
import { chain, items, startedByPost } from '../../../tools/shared/workflows';
import { lazyExpressions } from '../../e2e/environment';
import { describeInQueueMode, useQueueMode } from '../../e2e/queueMode/describe';
import { keyStores, publishKeyStore } from '../../e2e/queueMode/keyStores';
import { numbered, smsToEach } from '../../e2e/support/workflows';
import { inParallel } from '../../e2e/trigger/inParallel';
import { expectOnceOrSaid } from '../onceOrSaid';

jest.setTimeout(1_800_000);

const KEYS = Number(process.env.KEYS ?? 60);
const AT_ONCE = 40;

describeInQueueMode('keys in a database', () => {
	const n8n = useQueueMode({ workers: 3, env: lazyExpressions });
	beforeEach(() => n8n.account.sandbox.reset());

	describe.each(keyStores)('of $database', (keyStore) => {
		const { type } = keyStore;
		let credential: CredentialReference;
		const send = (to: string) =>
			smsToEach(credential, { to, options: onceBy(to) }, { onError: 'continueRegularOutput' });

		beforeAll(async () => {
			const { client } = n8n.main;
			const { rules } = await publishKeyStore(client, keyStore, n8n.credentials[type]);
			credential = await n8n.account.credentialWith(rules);
		});

		it('no key is lost, and no pair sent twice', async () => {
			const path = `orders-${type}`;
			const order = chain('Order', send('={{ $json.body.to }}'));
			await n8n.main.client.publish(startedByPost(path, 'lastNode', order));
			const ask = async (row: object) => await (await n8n.post(path, row)).text();

			const keys = numbered(KEYS);
			await inParallel(AT_ONCE, keys, ask);
			const again = await inParallel(AT_ONCE, keys, ask);
			expect(again.filter((json) => !json.includes('"skipped":true'))).toEqual([]);

			const pairs = numbered(KEYS / 2, 5521900100000);
			const answers = await inParallel(AT_ONCE / 2, pairs, async (row) =>
				Promise.all([ask(row), ask(row)]),
			);
			for (const pair of answers) {
				expect(pair.filter((json) => json.includes('"messageId"'))).toHaveLength(1);
			}
			// A delivery that comes twice at the same moment is no error.
			const skipped = answers.flat().filter((json) => json.includes('"skipped":true')).length;
			expect(skipped).toBeGreaterThanOrEqual(0.96 * pairs.length);
			const times = [...keys, ...pairs].map((row) => n8n.account.sandbox.timesAccepted(row));
			expect(new Set(times)).toEqual(new Set([1]));
		});

		it('where a worker is killed, nothing is sent twice or missing without a word', async () => {
			const { client } = n8n.main;
			const path = `list-${type}`;
			const rows = numbered(KEYS, 5531900100000);
			const list = chain('List', ...items(...rows), send('={{ $json.to }}'));
			const id = await client.publish(startedByPost(path, 'onReceived', list));
			const sent = () => n8n.account.sandbox.accepted().length;
			const [skip, fault] = [KEYS / 3, { delayMs: 3_600_000 }]; // the rest waits for its answer
			n8n.account.sandbox.fault({ operation: 'sendSms', skip, fault });

			await n8n.post(path);
			await until('a third is sent', () => sent() === skip, { interval: 10 });
			const worker = n8n.workerOf(await client.newest(id))!;
			await worker.kill();
			await worker.restart();
			n8n.account.sandbox.clearFaults();
			expect(sent()).toBeLessThan(KEYS);

			await n8n.post(path);
			const again = await client.waitForExecution(await client.newest(id));
			expectOnceOrSaid(n8n.account.sandbox, rows, again);
		});
	});
});
