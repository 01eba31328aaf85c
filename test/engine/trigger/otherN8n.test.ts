/** Another n8n of the account. */
import { crm, left, TriggerWorkflow, useSandbox, waits } from './support';

const sandbox = useSandbox();
const instanceUrl = 'https://n8n.example.com';

it('gives back the CRM’s webhook after a test that began while a workflow was unpublished', async () => {
	sandbox().webhook = { ...crm };
	const here = new TriggerWorkflow(sandbox(), 'workflow-1', { conflict: 'takeOver' });
	await here.publish();
	let write = () => {};
	const mayWrite = new Promise<void>((resolve) => (write = resolve));
	const there = new TriggerWorkflow(sandbox(), 'workflow-2', {
		conflict: 'takeOver',
		instanceId: 'other',
		instanceUrl,
		credential: { baseUrl: sandbox().credential.baseUrl.replace('127.0.0.1', 'localhost') },
		onRequest: async ({ method }) => (method === 'POST' ? await mayWrite : undefined),
	});
	const before = sandbox().requests().length;
	const listening = there.listen();
	while (sandbox().requests().length === before) await new Promise(setImmediate); // it has looked
	const sleep = jest.spyOn(waits, 'sleep').mockImplementation(async () => {
		write();
		await listening;
	});
	await here.unpublish();
	sleep.mockRestore();
	write();
	await listening;
	await there.endTest();
	expect(left(sandbox())).toBe(crm.url);
});

/** A copy of n8n's database, started at another address, with a trigger that is published there, too. */
it('leaves the webhook alone, whatever n8n does with the workflow', async () => {
	const production = new TriggerWorkflow(sandbox(), 'workflow-1', {
		instanceUrl,
		conflict: 'takeOver',
		credential: { n8nAddress: instanceUrl },
	});
	await production.publish();
	const { webhook } = sandbox();
	const copy = new TriggerWorkflow(sandbox(), 'workflow-1', {
		...production.options,
		instanceUrl: 'https://staging.example.com',
	});
	copy.staticData = structuredClone(production.staticData);
	const before = sandbox().requests().length;
	const refused = 'only be used in the n8n at https://n8n.example.com';
	expect((await copy.restart())?.logs.join()).toContain(refused);
	const { tick, failedExecutions, close } = await copy.watch();
	for (let check = 0; check < 4; check++) await tick();
	const messages = failedExecutions.map(({ message }) => message);
	expect(messages).toEqual([expect.stringContaining(refused)]);
	await close();
	await expect(copy.publish()).rejects.toThrow(refused);
	await expect(copy.publish()).rejects.toThrow("correct 'Only Use in This n8n' in the credential"); // all that n8n shows
	await expect(copy.listen()).rejects.toThrow(refused);
	for (const end of [copy.unpublish(), copy.endTest()]) {
		expect((await end).logs.join()).toContain(
			`warn: Left the webhook of the account alone: The Messaging Gateway credential may ${refused}`,
		);
	}
	expect(sandbox().requests()).toHaveLength(before);
	expect(sandbox().webhook).toEqual(webhook);
});

it('is told from a setting that gives nothing: unpublishing says so, and can be repeated', async () => {
	const workflow = new TriggerWorkflow(sandbox(), 'workflow-1', { instanceUrl });
	await workflow.publish();
	workflow.options.credential = { n8nAddress: [] };
	await expect(workflow.unpublish()).rejects.toThrow("'Only Use in This n8n'");
	workflow.options.credential = {};
	await workflow.unpublish();
	expect(left(sandbox())).toBe('production of workflow-1, off');
});
