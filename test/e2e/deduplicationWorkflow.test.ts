/** Deduplication keys kept by the workflows in examples/, in a real PostgreSQL and Redis. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { outputOf, type CredentialReference, type HostClient } from '../../host';
import type { Server } from '../../host/queue';
import { startPostgres, startRedis } from '../../host/queue/servers';
import { startSandbox, type Sandbox } from '../../sandbox';
import { describeWhereInstalled } from './queueMode/describe';
import { keyStores, publishKeyStore } from './queueMode/keyStores';
import { sharedHost } from './sharedHost';
import { chain, gateway, items } from './workflows';

const servers = {
	postgres: {
		start: startPostgres,
		access: { database: 'postgres', user: 'postgres', password: '', ssl: 'disable' },
	},
	redis: {
		start: async (folder: string) => await startRedis(folder, { appendOnly: false }),
		access: { user: '', password: '', database: 0 },
	},
};

describeWhereInstalled.each(keyStores)('$name', (keyStore) => {
	let sandbox: Sandbox;
	let folder: string;
	let server: Server;
	let client: HostClient;
	let account: CredentialReference;
	let store: Awaited<ReturnType<typeof publishKeyStore>>;

	beforeAll(async () => {
		const { start, access } = servers[keyStore.type];
		sandbox = await startSandbox();
		folder = await mkdtemp(path.join(os.tmpdir(), 'key-store-'));
		server = await start(folder);
		({ client } = await sharedHost());
		account = await client.createCredential(sandbox.credential);
		const at = { host: '127.0.0.1', port: server.port };
		store = await publishKeyStore(client, keyStore, { ...at, ...access });
	});
	afterAll(async () => {
		await server?.stop();
		await sandbox?.close();
		if (folder) await rm(folder, { recursive: true });
	});
	afterEach(() => sandbox.reset());

	/** A workflow that sends an SMS per item, with the item's key. */
	const sender = async (rows: Array<{ to: string; key: string }>) => {
		const options = { ...store.options, deduplicationKey: '={{ $json.key }}' };
		const parameters = { to: '={{ $json.to }}', text: 'Hello', options };
		const more = { onError: 'continueRegularOutput' } as const;
		const send = gateway(account, 'message', 'sendSms', parameters, more);
		const id = await client.createWorkflow(chain('Orders', ...items(...rows), send));
		return async () => {
			const execution = await client.waitForExecution(await client.run(id));
			return outputOf(execution, 'Gateway').map(({ json }) => json);
		};
	};

	const rows = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			to: `55119${String(10_000_000 + index)}`,
			key: `order 'é' ${index}`,
		}));

	it('sends each key once', async () => {
		const send = await sender(rows(60));
		expect(await send()).toMatchObject(rows(60).map(({ to }) => ({ to })));
		const again = await send();
		expect(again).toMatchObject(
			rows(60).map(({ key }) => ({ skipped: true, deduplicationKey: key })),
		);
		expect(sandbox.requests()).toHaveLength(60);
	});

	it('frees a key whose message was refused, and keeps one in doubt', async () => {
		const [refused, unknown, accepted] = rows(3);
		sandbox.fault({ to: refused!.to, times: 1, fault: { status: 400 } });
		sandbox.fault({ to: unknown!.to, times: 1, fault: { status: 502 } });
		const send = await sender([refused!, unknown!, accepted!]);
		const inDoubt = { error: { outcome: 'unknown', message: expect.stringContaining('may have') } };
		const isRefused = { error: { outcome: 'refused' } };
		expect(await send()).toMatchObject([isRefused, inDoubt, { to: accepted!.to }]);
		expect(await send()).toMatchObject([{ to: refused!.to }, inDoubt, { skipped: true }]);
		expect(await send()).toMatchObject([{ skipped: true }, inDoubt, { skipped: true }]);
		expect(sandbox.requests()).toHaveLength(4);
	});

	it('knows a key that names a message to another number', async () => {
		const same = rows(2).map(({ to }) => ({ to, key: 'the same' }));
		const send = await sender(same);
		const elsewhere = { error: { message: expect.stringContaining('to another number already') } };
		expect(await send()).toMatchObject([{ to: same[0]!.to }, elsewhere]);
		expect(await send()).toMatchObject([{ skipped: true }, elsewhere]);
	});

	it('keeps the keys of each node apart', async () => {
		for (let workflow = 0; workflow < 2; workflow++) await (await sender(rows(1)))();
		expect(sandbox.accepted()).toHaveLength(2);
	});

	it('sends nothing while the workflow cannot be called, and says which and why', async () => {
		await client.deactivate(store.id);
		const send = await sender(rows(2));
		const [one, other] = await send();
		await client.activate(store.id);
		expect(one).toEqual(other);
		expect(one).toMatchObject({
			error: {
				message: expect.stringContaining(
					`The deduplication workflow '${store.name}' did not work: `,
				),
				hint: expect.stringContaining('Nothing was sent'),
				outcome: 'refused',
			},
		});
		expect(sandbox.requests()).toEqual([]);
		expect(await send()).toMatchObject(rows(2).map(({ to }) => ({ to })));
	});
});
