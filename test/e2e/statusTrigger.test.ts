/** The status trigger in a real n8n: changes, failed polls, and test events. */
import type { INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../tools/host';
import { useHost } from './sharedHost';
import { polls, setStatuses, StatusWorkflow, ticking, triggerName } from './statusTrigger/workflow';

const host = useHost();
const set = (statuses: Record<string, string>) => setStatuses(host.sandbox, statuses);

const create = async (parameters: INodeParameters = {}, credential: object = {}) =>
	await StatusWorkflow.create(host, { ...host.sandbox.credential, ...credential }, parameters);

async function publish(parameters?: INodeParameters) {
	const workflow = await create(parameters);
	await workflow.publish();
	return workflow;
}

it('reports a failure, starts the error workflow, and continues', async () => {
	set({ a: 'queued' });
	const workflow = await publish();
	host.sandbox.fault({ fault: { refuse: 'Token inválido.' } });
	set({ a: 'sent' });
	await polls(host, host.sandbox, 3);
	host.sandbox.clearFaults();
	const [failed] = await workflow.executions();
	expect([failed?.status, failed?.error?.message]).toEqual([
		'error',
		'The service rejected the credential: "Token inválido."',
	]);
	expect(await workflow.executions('error')).not.toEqual([]);

	await workflow.isTold(1);
	expect(await workflow.told()).toEqual(['a queued → sent']);
	await workflow.unpublish();
});

it('watches all campaigns if none is chosen, and keeps its state when published again', async () => {
	set({ a: 'queued' });
	const workflow = await publish({ campaignIds: [] });
	await workflow.unpublish();
	set({ a: 'sent' });
	await workflow.publish();
	await workflow.isTold(1);
	set({ a: 'delivered' });
	await workflow.isTold(2);
	expect(await workflow.told()).toEqual(['a queued → sent', 'a sent → delivered']);
	await workflow.unpublish();
});

it.each<[string, INodeParameters, object, RegExp]>([
	['a refused key', {}, { apiKey: 'wrong' }, /Token inválido\./],
	['a missing campaign', { campaignIds: 'c-2' }, {}, /\[Campaign c-2\]/],
])('is not published with %s', async (_, parameters, credential, expected) => {
	set({ a: 'queued' });
	const workflow = await create(parameters, credential);
	// Some versions of n8n check the fields first, and find an empty one.
	const { status, triggers } = await host.client
		.activate(workflow.id)
		.catch((error: Error) => ({ status: 'failed', triggers: [{ errorMessage: error.message }] }));
	expect(status).not.toBe('published');
	const texts = triggers.map(({ errorMessage }) => errorMessage ?? '');
	expect(texts.join()).toMatch(expected);
});

it("shows a record for 'Fetch Test Event', published or not", async () => {
	set({ a: 'delivered' });
	const workflow = await create();
	for (const isPublished of [false, true]) {
		if (isPublished) await workflow.publish();
		const execution = await host.client.waitForExecution(
			await host.client.run(workflow.id, triggerName),
		);
		expect(execution.error).toBeUndefined();
		expect(outputOf(execution, triggerName).map(({ json }) => json)).toMatchObject([
			{ messageId: 'a', status: 'delivered', previousStatus: null },
		]);
	}
	set({ a: 'error' });
	await ticking(host, 'the change is reported', async () =>
		(await workflow.told()).includes('a delivered → error'),
	);
	await workflow.unpublish();
});
