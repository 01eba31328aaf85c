/** Deduplication keys kept by the workflows in examples/, in a real PostgreSQL and Redis. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { outputOf, type WorkflowJson } from '../../tools/host';
import { until } from '../../tools/host/until';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, items, node } from '../../tools/shared/workflows';
import { enter } from '../e2e/examples/example';
import { describeWhereInstalled } from '../e2e/queueMode/describe';
import { keyStores, publishKeyStore } from '../e2e/queueMode/keyStores';
import { useHost } from '../e2e/sharedHost';
import { smsToEach } from '../e2e/support/workflows';
import { useDatabase } from './database';

describeWhereInstalled.each(keyStores)('$name', (keyStore) => {
	const host = useHost();
	const database = useDatabase(keyStore.type);
	let store: Awaited<ReturnType<typeof publishKeyStore>>;
	const publish = async (change?: (workflow: WorkflowJson) => void) =>
		await publishKeyStore(host.client, keyStore, database.access, change);
	beforeAll(async () => {
		store = await publish();
	});

	/** A workflow that sends an SMS per item, with the item's key. */
	const sender = async (
		rows: Array<{ to: string; key: string }>,
		more: INodeParameters = {},
		rules: object = {},
	) => {
		const data = { ...host.sandbox.credential, ...store.rules, ...rules };
		const account = await host.client.createCredential(data);
		const options = { ...onceBy('={{ $json.key }}'), ...more };
		const send = smsToEach(account, { options }, { onError: 'continueRegularOutput' });
		const id = await host.client.createWorkflow(chain('Orders', ...items(...rows), send));
		const run = async () => {
			const execution = await host.client.waitForExecution(await host.client.run(id));
			return outputOf(execution, 'Gateway').map(({ json }) => json);
		};
		return Object.assign(run, { id });
	};
	const inDoubt = { error: { outcome: 'unknown', message: expect.stringContaining('may have') } };

	const rows = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			to: `+55119${String(10_000_001 + index)}`,
			key: `order 'é' ${index}`,
		}));

	it('sends each key once', async () => {
		const send = await sender(rows(60));
		expect(await send()).toMatchObject(rows(60).map(({ to }) => ({ to })));
		const again = await send();
		expect(again).toMatchObject(
			rows(60).map(({ key }) => ({ skipped: true, deduplicationKey: key })),
		);
		expect(host.sandbox.requests()).toHaveLength(60);
	});

	it('frees a key whose message was refused, and keeps one in doubt', async () => {
		const [refused, unknown, accepted] = rows(3);
		host.sandbox.fault({ to: refused!.to, times: 1, fault: { status: 400 } });
		host.sandbox.fault({ to: unknown!.to, times: 1, fault: { status: 502 } });
		// So long a young claim is asked about.
		const send = await sender([refused!, unknown!, accepted!], {}, { timeout: 3_000 });
		const isRefused = { error: { outcome: 'refused' } };
		expect(await send()).toMatchObject([isRefused, inDoubt, { to: accepted!.to }]);
		expect(await send()).toMatchObject([{ to: refused!.to }, inDoubt, { skipped: true }]);
		expect(await send()).toMatchObject([{ skipped: true }, inDoubt, { skipped: true }]);
		expect(host.sandbox.requests()).toHaveLength(4);
	});

	it('knows a key that names a message to another number', async () => {
		const same = rows(2).map(({ to }) => ({ to, key: 'the same' }));
		const send = await sender(same);
		const elsewhere = {
			error: { message: expect.stringContaining('was used for a message to another number') },
		};
		expect(await send()).toMatchObject([{ to: same[0]!.to }, elsewhere]);
		expect(await send()).toMatchObject([{ skipped: true }, elsewhere]);
	});

	it('is read by a dry run, and finds every key afterwards as it was', async () => {
		const [accepted, unknown, fresh] = rows(3);
		const list = [accepted!, unknown!, accepted!, unknown!, fresh!];
		const send = await sender(list, { dryRun: '={{ $itemIndex > 1 }}' }, { timeout: 1_000 });
		host.sandbox.fault({ to: unknown!.to, times: 1, fault: { status: 502 } });
		const read = ['skipped', 'inDoubt', 'fresh'].map((deduplication) => ({
			dryRun: true,
			deduplication,
		}));
		expect(await send()).toMatchObject([{ to: accepted!.to }, inDoubt, ...read]);
		expect(await send()).toMatchObject([{ skipped: true }, inDoubt, ...read]);
		expect(host.sandbox.requests()).toHaveLength(2);
	});

	it('keeps the keys of each node apart', async () => {
		for (let workflow = 0; workflow < 2; workflow++) await (await sender(rows(1)))();
		expect(host.sandbox.accepted()).toHaveLength(2);
	});

	it('refuses a key that cannot be stored alone, and takes one that no index takes', async () => {
		const rare =
			"{ half: '😀'.slice(0, 1), nul: String.fromCharCode(0), long: 'é😀'.repeat(1_000) }";
		const key = `={{ (${rare})[$json.key] ?? $json.key }}`;
		const list = rows(20).map((row, index) => ({
			...row,
			key: { 5: 'half', 6: 'nul', 7: 'long' }[index] ?? row.key,
		}));
		const send = await sender(list, onceBy(key));
		const refused = { error: { message: expect.stringContaining('cannot be stored') } };
		const expected = (sent: (to: string) => object) =>
			list.map(({ to, key }) => (key === 'half' || key === 'nul' ? refused : sent(to)));
		expect(await send()).toMatchObject(expected((to) => ({ to })));
		expect(await send()).toMatchObject(expected(() => ({ skipped: true })));
		expect(host.sandbox.requests()).toHaveLength(18);
	});

	it('keeps a key for a time from its first send on, however often it is used', async () => {
		const keepMs = 12_000;
		store = await publish((workflow) =>
			enter(workflow, 'Settings', { keepDays: keepMs / 86_400_000 }),
		);
		const [accepted, unknown] = rows(2);
		const send = await sender([accepted!, unknown!], {}, { timeout: 1_000 });
		host.sandbox.fault({ to: unknown!.to, times: 1, fault: { status: 502 } });
		expect(await send()).toMatchObject([{ to: accepted!.to }, inDoubt]);
		const sentAt = Date.now();
		expect(await send()).toMatchObject([{ skipped: true }, inDoubt]);
		await sleep(sentAt + keepMs / 2 - Date.now());
		expect(await send()).toMatchObject([{ skipped: true }, inDoubt]);
		await sleep(sentAt + keepMs + 1_500 - Date.now());
		expect(await send()).toMatchObject([{ to: accepted!.to }, { to: unknown!.to }]);
		store = await publish();
	});

	it('leaves no key in doubt where an execution is stopped while it is called', async () => {
		store = await publish(({ nodes, connections, settings }) => {
			settings!.saveDataSuccessExecution = 'all';
			const type = 'n8n-nodes-base.wait';
			const parameters = { amount: 3, unit: 'seconds' };
			const more = { typeVersion: 1.1, webhookId: 'slow' };
			nodes.push({ ...node('Slow', type, parameters, more), id: 'slow', position: [200, 200] });
			connections.Slow = connections.Settings!;
			connections.Settings = { main: [[{ node: 'Slow', type: 'main', index: 0 }]] };
		});
		const send = await sender(rows(30), {}, { timeout: 1_000 });
		const execution = await host.client.run(send.id);
		await until(
			'the store is called',
			async () => (await host.client.executions(store.id)).length > 0,
		);
		await host.client.cancel(execution);
		await until('what was claimed is released', async () => {
			const calls = await host.client.executions(store.id);
			return calls.length > 1 && calls.every(({ status }) => status === 'success');
		});
		expect(host.sandbox.requests()).toEqual([]);
		expect(await send()).toMatchObject(rows(30).map(({ to }) => ({ to })));
		store = await publish();
	});
});
