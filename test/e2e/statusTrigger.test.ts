/** The status trigger in a real n8n: what it tells, what becomes of a poll that fails, and its sample. */
import type { INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../host';
import { startSandbox, type Sandbox } from '../../sandbox';
import { sharedHost } from './sharedHost';
import {
	campaignId,
	polls,
	setStatuses,
	StatusWorkflow,
	ticking,
	triggerName,
	type TickingHost,
} from './statusTrigger/workflow';

let shared: TickingHost;
let sandbox: Sandbox;

beforeAll(async () => {
	shared = await sharedHost();
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const host = () => shared;
const set = (statuses: Record<string, string>) => setStatuses(sandbox, statuses);

const create = async (parameters: INodeParameters = {}, credential: object = {}) =>
	await StatusWorkflow.create(host, { ...sandbox.credential, ...credential }, parameters);

it('says a failure once, starts the error workflow once, and goes on', async () => {
	set({ a: 'queued' });
	const workflow = await create();
	await workflow.publish();
	sandbox.fault({ fault: { refuse: 'Token inválido.' } });
	set({ a: 'sent' });
	await polls(host, sandbox, 5);
	const failed = await workflow.executions();
	expect(failed.map(({ status, error }) => [status, error?.message])).toEqual([
		['error', 'The service rejected the credential: "Token inválido."'],
	]);
	expect(await workflow.executions('error')).toHaveLength(1);

	sandbox.clearFaults();
	await workflow.isTold(1);
	expect(await workflow.told()).toEqual(['a queued → sent']);
	await workflow.unpublish();
});

it('tells nothing old after a look without messages, and changes before a campaign that is gone', async () => {
	set({ a: 'queued', b: 'delivered' });
	sandbox.setCampaign({ channel: 'sms', campaignId: 'c-2', messages: [] });
	const workflow = await create({ campaignIds: `${campaignId}, c-2` });
	await workflow.publish();
	sandbox.fault({ fault: { status: 200, body: { campaigns: [{ messages: null }] } } });
	await polls(host, sandbox, 4);
	sandbox.clearFaults();
	sandbox.removeCampaign('sms', 'c-2');
	set({ a: 'Sent', b: 'Delivered' });
	await workflow.isTold(1);
	await polls(host, sandbox, 6);
	expect(await workflow.told()).toEqual(['a queued → Sent']);
	const failed = await workflow.executions();
	expect(failed.map(({ error }) => error?.message).filter(Boolean)).toEqual([
		'The service returned this campaign without its messages [Campaign c-1, Campaign c-2]',
		expect.stringContaining('[Campaign c-2]'),
	]);
	await workflow.unpublish();
});

it('watches all campaigns when none is chosen', async () => {
	set({ a: 'queued' });
	const workflow = await create({ campaignIds: [] });
	await workflow.publish();
	set({ a: 'sent' });
	await workflow.isTold(1);
	expect(await workflow.told()).toEqual(['a queued → sent']);
	await workflow.unpublish();
});

it('goes on with what it knew when it is published again', async () => {
	set({ a: 'queued' });
	const workflow = await create();
	await workflow.publish();
	await workflow.unpublish();
	set({ a: 'sent' });
	await workflow.publish();
	await workflow.isTold(1);
	expect(await workflow.told()).toEqual(['a queued → sent']);
	await workflow.unpublish();
});

it.each<[string, INodeParameters, object, RegExp]>([
	['a key that is refused', {}, { apiKey: 'wrong' }, /Token inválido\./],
	['a campaign that is not there', { campaignIds: 'c-2' }, {}, /\[Campaign c-2\]/],
])('is not published with %s', async (_, parameters, credential, expected) => {
	set({ a: 'queued' });
	const workflow = await create(parameters, credential);
	// An n8n that looks at the fields itself sees first that one is empty.
	const { status, triggers } = await shared.client.activate(workflow.id).catch((error: Error) => ({
		status: 'failed',
		triggers: [{ errorMessage: error.message }],
	}));
	expect(status).not.toBe('published');
	const texts = triggers.map(({ errorMessage }) => errorMessage ?? '');
	expect(texts.join()).toMatch(expected);
});

it("shows a sample with 'Fetch Test Event', published or not", async () => {
	set({ a: 'delivered' });
	const workflow = await create();
	for (const isPublished of [false, true]) {
		if (isPublished) await workflow.publish();
		const execution = await shared.client.waitForExecution(
			await shared.client.run(workflow.id, triggerName),
		);
		expect(execution.error).toBeUndefined();
		expect(outputOf(execution, triggerName).map(({ json }) => json)).toMatchObject([
			{ messageId: 'a', status: 'delivered', previousStatus: null },
		]);
	}
	set({ a: 'error' });
	await ticking(host, 'the change is told', async () =>
		(await workflow.told()).includes('a delivered → error'),
	);
	await workflow.unpublish();
});
