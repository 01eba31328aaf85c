/** Whose a registered URL is, when n8n moves and when workflows or databases are copied. */
import {
	calls,
	forgetAll,
	left,
	reported,
	stories,
	TriggerWorkflow,
	useSandbox,
	waits,
} from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(() => {
	workflow = new TriggerWorkflow(sandbox());
});

const production = 'production of workflow-1';

stories(sandbox, {
	'with other endpoints (N8N_ENDPOINT_WEBHOOK), n8n’s start registers again':
		'publish 1; forget; hooks 1; restart 1; exists 1; unpublish 1 → production of 1, off',
	'after a move, n8n’s start does':
		'publish 1; forget; move 1; restart 1; exists 1; unpublish 1 → production of 1, off',
	'after a move, where the service was down at n8n’s start, the next check does':
		'publish 1; forget; move 1; down; restart 1 → production of 1; check 1; exists 1; unpublish 1 → production of 1, off',
	'a copy is somebody else to a test':
		'publish 1; try listen copy → production of 1; end copy → production of 1',
	'a copy is somebody else to a test of the first':
		'listen 1; try listen copy → test of 1; end copy → test of 1',
	'a copy whose path n8n refuses takes nothing from the first':
		'publish 1; exists 1; unpublish copy → production of 1; off; check 1; exists 1',
});

it('another n8n with the same database takes the webhook at its start, as if n8n had moved; the first one leaves it, and says so', async () => {
	const [first, second] = ['http://localhost:1', 'http://localhost:2'];
	const url = () => sandbox().webhook.url;
	workflow.options.instanceUrl = first;
	await workflow.publish();
	const copy = new TriggerWorkflow(sandbox(), 'workflow-1', { instanceUrl: second });
	copy.staticData = structuredClone(workflow.staticData);
	forgetAll();
	await copy.restart();
	expect(url()).toContain(second);
	forgetAll();
	await workflow.publish('leadershipChange'); // in its own process
	const watch = await workflow.watch();
	for (let index = 0; index < 4; index++) {
		expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
	}
	const [said, ...more] = reported(watch);
	expect(more).toEqual([]);
	expect(said).toContain(
		'This workflow receives no deliveries: the webhook of its account was taken by this workflow on another n8n at localhost:2',
	);
	expect(said).toContain("set 'Only Use in This n8n' in its credential");
	await watch.close();
	expect((await workflow.unpublish()).logs.join()).toContain('it does not point to this node');
	expect(url()).toContain(second);

	await workflow.restart();
	expect(url()).toContain(first);
	await workflow.unpublish();
	expect(left(sandbox())).toBe(`${production}, off`);
});

it('checks right after the end of a test that nobody ends', async () => {
	await workflow.publish();
	const watch = await workflow.watch();
	await workflow.listen();
	const now = Date.now() + 100_000;
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
	const sleep = jest.spyOn(waits, 'sleep');
	sleep.mockImplementation(async (ms) => clock.mockReturnValue(now + ms));
	await watch.tick();
	expect(sleep).toHaveBeenCalledTimes(1);
	const [[ms] = [0]] = sleep.mock.calls;
	jest.restoreAllMocks();
	expect(ms).toBeGreaterThan(40_000);
	expect(ms).toBeLessThanOrEqual(50_000);
	expect(left(sandbox())).toBe(production);
	await watch.close();
});

const instanceUrl = 'https://n8n.example.com';

/** A copy of n8n's database, started at another address, with a trigger that is published there, too. */
it('leaves the webhook alone, whatever n8n does with the workflow', async () => {
	const production = new TriggerWorkflow(sandbox(), 'workflow-1', {
		instanceUrl,
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
	const watch = await copy.watch();
	for (let check = 0; check < 4; check++) await watch.tick();
	expect(reported(watch)).toEqual([expect.stringContaining(refused)]);
	await watch.close();
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
