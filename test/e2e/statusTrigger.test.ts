/**
 * The status trigger in a real n8n, whose clock for polls runs faster: what it tells over restarts and
 * kills, what n8n makes of a look that fails, and what the editor shows.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { outputOf, startHost, type FinishedExecution, type Host } from '../../host';
import { installationIn, pinned } from '../../host/paths';
import { until } from '../../host/until';
import { startSandbox, type Sandbox } from '../../sandbox';
import { node } from '../../testing/workflows';

const quickCron = path.join(__dirname, '../versions/quickCron.mts');
const triggerName = 'Status';
const campaignId = 'c-1';

let userFolder: string;
let host: Host;
let sandbox: Sandbox;

/** The one that test:versions chose, else the pinned one. */
const { N8N_FOLDER: folder } = process.env;
const n8n = folder ? installationIn(folder) : pinned;

const start = async (port?: number) =>
	await startHost({ n8n, userFolder, port, env: { NODE_OPTIONS: `--import=${quickCron}` } });

beforeAll(async () => {
	userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-status-'));
	sandbox = await startSandbox();
	host = await start();
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await host.stop();
	await sandbox.close();
	await rm(userFolder, { recursive: true, force: true });
});

/** Puts the campaign there with messages in these statuses, by message id. */
const set = (statuses: Record<string, string>) =>
	sandbox.setCampaign({
		channel: 'sms',
		campaignId,
		messages: Object.entries(statuses).map(([messageId, status]) => ({
			messageId,
			status,
			to: '5511912345678',
		})),
	});

/** A workflow of the trigger, a node that does nothing, and an Error Trigger. */
async function create(parameters: INodeParameters = {}, credential: object = {}): Promise<string> {
	const account = await host.client.createCredential({ ...sandbox.credential, ...credential });
	const nodes = [
		node(
			triggerName,
			'n8n-nodes-messaging-gateway.messagingGatewayStatusTrigger',
			{
				event: 'messageStatusChanged',
				channel: 'sms',
				campaignIds: campaignId,
				pollTimes: { item: [{ mode: 'everyMinute' }] },
				...parameters,
			},
			{ credentials: { messagingGatewayApi: account } },
		),
		node('End', 'n8n-nodes-base.noOp', {}),
		node('Error', 'n8n-nodes-base.errorTrigger', {}),
	];
	return await host.client.createWorkflow({
		name: `Status ${randomUUID()}`,
		nodes: nodes.map((each, index) => ({
			...each,
			id: randomUUID(),
			position: [index * 220, 0],
		})),
		connections: { [triggerName]: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
		settings: {},
	});
}

async function publish(workflowId: string): Promise<void> {
	const { status, triggers } = await host.client.activate(workflowId);
	expect({ status, triggers }).toMatchObject({ status: 'published' });
}

/** All executions of a workflow, oldest first. */
async function executions(workflowId: string): Promise<FinishedExecution[]> {
	const all = await host.client.executions(workflowId);
	return await Promise.all(
		all.reverse().map(async ({ id }) => await host.client.waitForExecution(id)),
	);
}

/** What the workflow was told, e.g. `a queued → sent`. */
async function told(workflowId: string): Promise<string[]> {
	return (await executions(workflowId)).flatMap((execution) =>
		outputOf(execution, triggerName).map(
			({ json }) => `${json.messageId} ${json.previousStatus} → ${json.status}`,
		),
	);
}

/** Waits until the trigger has asked the service so often from now on. */
async function looks(count: number): Promise<void> {
	const before = sandbox.requests().length;
	await until('the trigger has looked', () => sandbox.requests().length >= before + count);
}

const isTold = async (workflowId: string, count: number) =>
	await until(`${count} changes are told`, async () => (await told(workflowId)).length >= count);

it('tells each change once, whether n8n is stopped or killed in between', async () => {
	set({ a: 'queued', b: 'sent' });
	const id = await create();
	await publish(id);
	set({ a: 'sent', b: 'sent' });
	await isTold(id, 1);

	const port = Number(new URL(host.url).port);
	const expected = ['a queued → sent'];
	const whileDown: Array<[() => Promise<void>, Record<string, string>, string[]]> = [
		[
			() => host.stop(),
			{ a: 'sent', b: 'delivered', c: 'queued' },
			['b sent → delivered', 'c null → queued'],
		],
		[
			() => host.kill(),
			{ a: 'delivered', b: 'sent', c: 'sent' },
			['a sent → delivered', 'c queued → sent'],
		],
		[() => host.stop(), { a: 'queued', b: 'delivered', c: 'lida' }, ['c sent → lida']],
		[() => host.kill(), { c: 'lida', d: 'error' }, ['d null → error']],
	];
	for (const [end, statuses, changes] of whileDown) {
		await end();
		set(statuses);
		host = await start(port);
		expected.push(...changes);
		await isTold(id, expected.length);
	}
	await looks(3);
	expect(await told(id)).toEqual(expected);
	await host.client.deactivate(id);
});

it('says a failure once, starts the error workflow once, and goes on', async () => {
	set({ a: 'queued' });
	const id = await create();
	await publish(id);
	sandbox.fault({ fault: { refuse: 'Token inválido.' } });
	set({ a: 'sent' });
	await looks(5);
	const failed = (await executions(id)).filter(({ mode }) => mode === 'trigger');
	expect(failed.map(({ status, error }) => [status, error?.message])).toEqual([
		['error', 'The service rejected the credential: "Token inválido."'],
	]);
	expect((await executions(id)).filter(({ mode }) => mode === 'error')).toHaveLength(1);

	sandbox.clearFaults();
	await isTold(id, 1);
	expect(await told(id)).toEqual(['a queued → sent']);
	await host.client.deactivate(id);
});

it('tells nothing old after a look without messages, and changes before a campaign that is gone', async () => {
	set({ a: 'queued', b: 'delivered' });
	sandbox.setCampaign({ channel: 'sms', campaignId: 'c-2', messages: [] });
	const id = await create({ campaignIds: `${campaignId}, c-2` });
	await publish(id);
	sandbox.fault({ fault: { status: 200, body: { campaigns: [{ messages: null }] } } });
	await looks(4);
	sandbox.clearFaults();
	sandbox.removeCampaign('sms', 'c-2');
	set({ a: 'Sent', b: 'Delivered' });
	await isTold(id, 1);
	await looks(6);
	expect(await told(id)).toEqual(['a queued → Sent']);
	const failed = (await executions(id)).filter(({ mode }) => mode === 'trigger');
	expect(failed.map(({ error }) => error?.message).filter(Boolean)).toEqual([
		'This campaign came without its messages [Campaign c-1, Campaign c-2]',
		expect.stringContaining('[Campaign c-2]'),
	]);
	await host.client.deactivate(id);
});

it('stays active where the service is down at the start of n8n, and says so', async () => {
	set({ a: 'queued' });
	const id = await create();
	await publish(id);
	const port = Number(new URL(host.url).port);
	await host.stop();
	set({ a: 'sent' });
	sandbox.fault({ fault: { status: 503 } });
	host = await start(port);
	await until('it says so', async () => (await executions(id)).length > 0);
	sandbox.clearFaults();
	await isTold(id, 1);
	expect(await told(id)).toEqual(['a queued → sent']);
	const failed = (await executions(id)).filter(({ mode }) => mode === 'trigger');
	expect(failed.map(({ status }) => status)).toEqual(['error', 'success']);
	await host.client.deactivate(id);
});

it('goes on with what it knew when it is published again', async () => {
	set({ a: 'queued' });
	const id = await create();
	await publish(id);
	await host.client.deactivate(id);
	set({ a: 'sent' });
	await publish(id);
	await isTold(id, 1);
	expect(await told(id)).toEqual(['a queued → sent']);
	await host.client.deactivate(id);
});

it.each<[string, INodeParameters, object, RegExp]>([
	['a key that is refused', {}, { apiKey: 'wrong' }, /Token inválido\./],
	['a campaign that is not there', { campaignIds: 'c-2' }, {}, /\[Campaign c-2\]/],
	['no campaign', { campaignIds: '' }, {}, /campaign ?IDs/i],
])('is not published with %s', async (_, parameters, credential, expected) => {
	set({ a: 'queued' });
	const id = await create(parameters, credential);
	// An n8n that looks at the fields itself sees first that one is empty.
	const { status, triggers } = await host.client.activate(id).catch((error: Error) => ({
		status: 'failed',
		triggers: [{ errorMessage: error.message }],
	}));
	expect(status).not.toBe('published');
	const texts = triggers.map(({ errorMessage }) => errorMessage ?? '');
	expect(texts.join()).toMatch(expected);
});

it("shows a sample with 'Fetch Test Event', published or not", async () => {
	set({ a: 'delivered' });
	const id = await create();
	for (const isPublished of [false, true]) {
		if (isPublished) await publish(id);
		const execution = await host.client.waitForExecution(await host.client.run(id, triggerName));
		expect(execution.error).toBeUndefined();
		expect(outputOf(execution, triggerName).map(({ json }) => json)).toMatchObject([
			{ messageId: 'a', status: 'delivered', previousStatus: null },
		]);
	}
	set({ a: 'error' });
	await until('the change is told', async () => (await told(id)).includes('a delivered → error'));
	await host.client.deactivate(id);
});
