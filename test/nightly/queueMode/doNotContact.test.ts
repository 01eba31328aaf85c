/**
 * 'Do Not Contact Workflow ID' with the workflows in examples/ and two workers, one of which is killed.
 * Each in an n8n of its own. With more items: `ITEMS=1000 npx jest --selectProjects nightly -- queueMode/doNotContact`.
 */
import { fetchOnce, outputOf } from '../../../tools/host';
import { startQueueMode, type QueueMode } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { onceBy } from '../../../tools/shared/deduplication';
import { chain, gateway, items, startedByPost } from '../../../tools/shared/workflows';
import { contactLists, publishContactList } from '../../e2e/queueMode/contactLists';
import { describeInQueueMode } from '../../e2e/queueMode/describe';
import { keyStores, publishKeyStore } from '../../e2e/queueMode/keyStores';
import { Account } from '../../e2e/trigger/account';
import { inParallel } from '../../e2e/trigger/inParallel';

jest.setTimeout(1_800_000);

const ITEMS = Number(process.env.ITEMS ?? 100);

describeInQueueMode('who must not be contacted', () => {
	let n8n: QueueMode;
	let account: Account;
	let keys: object;

	beforeEach(async () => {
		n8n = await startQueueMode({ workers: 2 });
		account = await Account.open(n8n.main.client);
		const store = await publishKeyStore(n8n.main.client, keyStores[0], n8n.credentials.postgres);
		keys = store.rules;
	});
	afterEach(async () => {
		await account?.close();
		await n8n?.stop();
	});

	it.each(contactLists)('is not, with $database', async ({ database, file }) => {
		const { client } = n8n.main;
		const postgres = await client.createCredential(n8n.credentials.postgres, 'postgres');
		const credentials = { postgres, messagingGatewayApi: account.credential };
		const list = await publishContactList(client, n8n.webhooks[0]!.url, file, credentials);
		const first = contactLists.findIndex((each) => each.file === file) * 1_000_000;
		const numbers = Array.from({ length: ITEMS }, (_, i) => String(5511900100000 + first + i));
		const blocked = new Set(numbers.filter((_, index) => index % 10 === 0));
		await list.stop(`+${numbers[0]}`); // the first one makes the table
		const stopped = await inParallel(5, [...blocked], async (to) => await list.stop(`+${to}`));
		expect(new Set(stopped)).toEqual(new Set([200]));

		const credential = await account.credentialWith({ ...keys, ...list.rules });
		const options = onceBy('={{ $json.to }}');
		const text = `News, ${database}`;
		const paths = [0, 1].map((half) => `${file}-${half}`);
		const halves = [numbers.slice(0, ITEMS / 2), numbers.slice(ITEMS / 2)];
		const ids: string[] = [];
		for (const [half, path] of paths.entries()) {
			const send = gateway(
				credential,
				'message',
				'sendSms',
				{ to: '={{ $json.to }}', text, options },
				{ onError: 'continueRegularOutput' },
			);
			const rows = items(...halves[half]!.map((to) => ({ to })));
			const workflow = startedByPost(path, 'onReceived', chain(path, ...rows, send));
			ids.push(await client.createWorkflow(workflow));
			expect((await client.activate(ids[half]!)).status).toBe('published');
		}
		const start = async (half: number) => {
			await fetchOnce(`${n8n.webhooks[0]!.url}/webhook/${paths[half]}`, { method: 'POST' });
			return (await client.executions(ids[half]!))[0]!.id;
		};
		const sent = () => account.sandbox.accepted({ text }).length;
		account.sandbox.fault({ operation: 'sendSms', fault: { delayMs: 100 } });

		const running = [await start(0), await start(1)];
		await until('a fifth is sent', () => sent() > ITEMS / 5, { interval: 10 });
		const isHis = `started execution ${running[0]} `;
		const worker = n8n.workers.find((each) => each.logs().includes(isHis))!;
		await worker.kill();
		await worker.restart();
		const sentBefore = sent();
		await client.waitForExecution(running[1]!);

		let inDoubt = 0;
		for (const half of [0, 1]) {
			const ended = await client.waitForExecution(await start(half));
			const results = outputOf(ended, 'Gateway').map(({ json }) => json);
			for (const [index, to] of halves[half]!.entries()) {
				const times = account.sandbox.timesAccepted({ to });
				const result = JSON.stringify(results[index]);
				if (blocked.has(to)) {
					expect([times, result]).toEqual([0, expect.stringContaining('doNotContact')]);
				} else if (times === 0) {
					expect(result).toContain('may have been sent');
					inDoubt++;
				} else {
					expect(times).toBe(1);
				}
			}
		}
		account.sandbox.clearFaults();
		console.log(
			`${database}: killed after ${sentBefore}; 0 sent to ${blocked.size} blocked, ${sent()} of ${ITEMS - blocked.size} once, ${inDoubt} not sent and in doubt, which is said`,
		);
	});
});
