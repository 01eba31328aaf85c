/** Whose a registered URL is, when n8n moves and when workflows or databases are copied. */
import { startWebhook, type WebhookServer } from '../harness';
import { listen } from '../harness/server';
import {
	afterItsEnd,
	calls,
	expectFailure,
	forgetAll,
	foreign,
	left,
	reported,
	stories,
	textOf,
	TriggerWorkflow,
	useSandbox,
} from './support';

const sleeps: number[] = [];
let onSleep: () => void = () => {};
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		sleeps.push(ms);
		onSleep();
	},
}));

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(() => {
	workflow = new TriggerWorkflow(sandbox(), 'workflow-1', { conflict: 'takeOver' });
	sandbox().webhook = { ...crm };
});
const close: Array<() => Promise<void>> = [];
afterEach(async () => {
	sleeps.length = 0;
	onSleep = () => {};
	for (const each of close.splice(0)) await each();
});

const crm = { url: foreign, enabled: true };
const production = 'production of workflow-1';

stories(sandbox, {
	'with other endpoints (N8N_ENDPOINT_WEBHOOK), n8n’s start registers again':
		'publish 1; forget; hooks 1; restart 1; exists 1; unpublish 1 → crm',
	'with other endpoints, a test takes back its own URL, never that of production':
		'publish 1; listen 1; forget; hooks 1; end 1 → production of 1; end 1 → production of 1; listen 1; unpublish 1; end 1 → crm',
	'of two API keys, the first is unpublished first':
		'key 2; publish 1; publish 2; forget; unpublish 1; unpublish 2 → crm',
	'of two API keys, the second is unpublished first':
		'key 2; publish 1; publish 2; forget; unpublish 2; unpublish 1 → crm',
	'two API keys are published in turns':
		'key 2; publish 1; publish 2; unpublish 1; publish 1; unpublish 2; publish 2; unpublish 1; unpublish 2 → crm',
});

describe('an imported workflow with the same webhook id', () => {
	let copy: TriggerWorkflow;
	beforeEach(async () => {
		sandbox().webhook = { url: null, enabled: null };
		await workflow.publish();
		copy = new TriggerWorkflow(sandbox(), 'copy', { webhookId: 'workflow-1-webhook' });
	});

	it('is somebody else to a test with Refuse', async () => {
		const error = await expectFailure(copy.listen());
		expect(error.message).toContain('another Messaging Gateway Trigger at localhost:1 is using');
		expect(textOf(error)).not.toMatch(/mgt=|-webhook\/webhook/);
		await copy.endTest();
		expect(left(sandbox())).toBe(production);
	});

	it('is somebody else to a test of the first, too', async () => {
		await workflow.unpublish();
		await workflow.listen();
		const error = await expectFailure(copy.listen());
		expect(error.message).toContain('another workflow is listening for a test event');
		await copy.endTest();
		expect(left(sandbox())).toBe('test of workflow-1');
	});

	it.each(['without', 'with'])(
		'takes nothing from the first where n8n refuses its path, %s the first one’s static data',
		async (which) => {
			if (which === 'with') copy.staticData = structuredClone(workflow.staticData);
			const watch = await workflow.watch();
			await copy.unpublish(); // all that n8n calls then
			expect(left(sandbox())).toBe(production);
			sandbox().webhook.enabled = false;
			await watch.tick(); // which goes on
			expect(sandbox().webhook.enabled).toBe(true);
			await watch.close();
		},
	);
});

describe('another n8n with the same database', () => {
	const first = 'http://localhost:1';
	const second = 'http://localhost:2';
	let copy: TriggerWorkflow;
	const url = () => sandbox().webhook.url;
	beforeEach(async () => {
		workflow.options.instanceUrl = first;
		await workflow.publish();
		copy = new TriggerWorkflow(sandbox(), 'workflow-1', {
			conflict: 'takeOver',
			instanceUrl: second,
		});
		copy.staticData = structuredClone(workflow.staticData);
		forgetAll();
	});

	it('takes the webhook at its start, as if n8n had moved; the first one leaves it, and says so', async () => {
		await copy.restart();
		expect(url()).toContain(second);
		const watch = await workflow.watch();
		for (let index = 0; index < 4; index++) {
			expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
		}
		const said = reported(watch);
		expect(said).toEqual([
			expect.stringContaining(
				'This workflow receives no deliveries at localhost:1: the webhook of its account points to the same workflow at localhost:2',
			),
		]);
		expect(said[0]).toContain("set 'Only Use in This n8n' in the credential");
		await watch.close();
		await workflow.publish('leadershipChange');
		expect((await workflow.unpublish()).logs.join()).toContain('it does not point to this node');
		expect(url()).toContain(second);

		await workflow.restart();
		expect(url()).toContain(first);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});

	it('has moved where it could not register at its start: the next check does', async () => {
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		await copy.restart();
		expect(url()).toContain(first);
		const watch = await copy.watch();
		await watch.tick();
		expect(url()).toContain(second);
		await watch.close();
		await copy.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});
});

describe('a newer version of this package has registered the webhook', () => {
	const said = 'only that version can give it back. Install it again, or set the webhook';
	const newer = {
		url: 'http://localhost:1/webhook/workflow-1-webhook/webhook?mgt=v2.s.what only that one can read',
		enabled: true,
	};
	beforeEach(() => (sandbox().webhook = { ...newer }));

	it.each(['refuse', 'share', 'takeOver'] as const)(
		'which this one leaves as it is, and says what to do: %s',
		async (conflict) => {
			workflow.options.conflict = conflict;
			const error = await expectFailure(workflow.publish());
			expect(error.message).toContain(said);
			expect(textOf(error)).not.toMatch(/v2\.s/);
			// n8n calls `delete` after each attempt.
			expect((await workflow.unpublish()).logs.join()).toContain(said);
			expect(sandbox().webhook).toEqual(newer);

			expect((await workflow.restart())?.logs.join()).toContain('warn: A newer version');
			const watch = await workflow.watch();
			for (let index = 0; index < 4; index++) {
				expect(await calls(sandbox(), watch.tick)).toEqual(['read']);
			}
			expect(reported(watch)).toEqual([expect.stringContaining(said)]);
			await watch.close();
			expect((await workflow.unpublish()).logs.join()).toContain(said);
			expect(sandbox().webhook).toEqual(newer);
		},
	);
});

describe('a test of a process that is gone', () => {
	/** n8n started again: it answers, and has no test. */
	let server: WebhookServer;
	beforeEach(async () => {
		server = await startWebhook(workflow.prepare(false));
		close.push(server.close);
		workflow.options.instanceUrl = server.instanceUrl;
		await workflow.publish();
	});

	it.each(['workflow-1', 'workflow-2'])('counts as over at n8n’s start: %s', async (id) => {
		const { instanceUrl } = server;
		await new TriggerWorkflow(sandbox(), id, { conflict: 'takeOver', instanceUrl }).listen();
		forgetAll();
		await workflow.restart();
		expect(left(sandbox())).toBe(production);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});

	it.each([
		['ahead', 3_600_000],
		['behind', -600_000],
	])('goes on in another n8n whose clock is %s', async (_, ms) => {
		workflow.options.conflict = 'share';
		await workflow.publish();
		const other = { conflict: 'share', instanceId: 'other' } as const;
		const listener = new TriggerWorkflow(sandbox(), 'workflow-2', other);
		const test = await startWebhook(listener.prepare(true));
		close.push(test.close);
		listener.options.instanceUrl = test.instanceUrl;
		const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);
		await listener.listen();
		clock.mockRestore();
		const watch = await workflow.watch();
		await watch.tick();
		expect(left(sandbox())).toBe('test of workflow-2');
		expect(Math.max(...sleeps)).toBeLessThanOrEqual(150_000);
		await test.close();
		close.pop();
		await watch.close();
	});

	it('is over by the clock where a proxy in front of its n8n lets nobody in', async () => {
		const proxy = await listen((request, response) => {
			request.resume().on('end', () => response.writeHead(401).end('<h1>Sign in</h1>'));
		});
		close.push(proxy.close);
		workflow.options.instanceUrl = proxy.url;
		await workflow.listen();
		workflow.options.instanceUrl = server.instanceUrl;
		const watch = await workflow.watch();
		await afterItsEnd(watch.tick);
		expect(left(sandbox())).toBe(production);
		await watch.close();
	});

	it('is left alone at unpublishing, which asks nobody', async () => {
		const { instanceUrl } = server;
		const options = { conflict: 'takeOver', instanceUrl } as const;
		await new TriggerWorkflow(sandbox(), 'workflow-2', options).listen();
		await workflow.unpublish();
		expect(left(sandbox())).toBe('test of workflow-2');
		expect(await server.deliveries()).toEqual([]);
	});

	it('counts as over where n8n cannot reach itself at its start, but at no check', async () => {
		await workflow.listen();
		await server.close();
		close.length = 0;
		const watch = await workflow.watch();
		await watch.tick();
		expect(left(sandbox())).toBe('test of workflow-1');
		await watch.close();
		await workflow.restart();
		expect(left(sandbox())).toBe(production);
	});

	it('goes on while somebody listens, as another main process of n8n does', async () => {
		await server.close();
		const test = await startWebhook({ ...workflow.prepare(true) });
		close.splice(0, 1, test.close);
		workflow.options.instanceUrl = test.instanceUrl;
		await workflow.listen();
		await workflow.restart();
		expect(left(sandbox())).toBe('test of workflow-1');
		const [asked] = await test.deliveries();
		expect(asked).toMatchObject({ status: 401 });
		expect(asked!.started).toBeUndefined();
	});
});

describe('a test that nobody ends', () => {
	it('is checked right after its end', async () => {
		await workflow.publish();
		const watch = await workflow.watch();
		await workflow.listen();
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now');
		clock.mockReturnValue(now + 100_000);
		sleeps.length = 0;
		onSleep = () => clock.mockReturnValue(now + 100_000 + sleeps.at(-1)!);
		await watch.tick();
		clock.mockRestore();
		expect(sleeps).toHaveLength(1);
		expect(sleeps[0]).toBeGreaterThan(40_000);
		expect(sleeps[0]).toBeLessThanOrEqual(50_000);
		expect(left(sandbox())).toBe(production);
		await watch.close();
	});
});
