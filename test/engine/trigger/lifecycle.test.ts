import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { startSandbox } from '../../../sandbox';
import { rememberEnd } from '../../../nodes/MessagingGatewayTrigger/registration/memory';
import { calls, foreign, left, textOf, TriggerWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(() => {
	workflow = new TriggerWorkflow(sandbox());
});

const production = 'production of workflow-1';

async function expectFailure(
	promise: Promise<unknown>,
): Promise<NodeApiError | NodeOperationError> {
	return await promise.then(
		() => {
			throw new Error('It did not fail');
		},
		(error: NodeApiError | NodeOperationError) => error,
	);
}

describe('publish and unpublish', () => {
	it('points the webhook here, and switches it off again', async () => {
		expect(await calls(sandbox(), async () => await workflow.publish())).toEqual([
			'read',
			`set ${production}`,
		]);
		expect(left(sandbox())).toBe(production);
		const { url } = sandbox().webhook;
		expect(url).toMatch(/\?token=[\da-f]{64}$/);

		expect(await calls(sandbox(), async () => await workflow.unpublish())).toEqual([
			'read',
			`switch off ${production}`,
		]);
		expect(sandbox().webhook.url).not.toContain('token');
		const [secret] = /[\da-f]{64}/.exec(url!)!;
		expect(workflow.staticData).toEqual({ 'node:Messaging Gateway Trigger': { secret } });
	});

	it('keeps its secret, which no other node and no test has', async () => {
		const urls = new Set<string | null>();
		for (let round = 0; round < 3; round++) {
			await workflow.publish();
			urls.add(sandbox().webhook.url);
			await workflow.unpublish();
		}
		expect(urls.size).toBe(1);

		await new TriggerWorkflow(sandbox(), 'workflow-2').publish();
		urls.add(sandbox().webhook.url);
		for (let round = 0; round < 2; round++) {
			await workflow.listen();
			urls.add(sandbox().webhook.url);
			await workflow.endTest();
		}
		const secrets = [...urls].map((url) => new URL(url!).searchParams.get('token'));
		expect(new Set(secrets).size).toBe(4);
	});

	it('registers nothing when all is there', async () => {
		await workflow.publish();
		expect(await calls(sandbox(), async () => await workflow.publish())).toEqual(['read']);
	});
});

describe('checkExists', () => {
	it.each<[string, (url: string) => { url: string | null; enabled: boolean | null }, boolean]>([
		['exactly our URL', (url) => ({ url, enabled: true }), true],
		['switched off', (url) => ({ url, enabled: false }), false],
		['another secret', (url) => ({ url: url.replace(/.$/, 'x'), enabled: true }), false],
		['no secret', (url) => ({ url: url.split('?')[0]!, enabled: true }), false],
		['another URL', () => ({ url: foreign, enabled: true }), false],
		['no webhook', () => ({ url: null, enabled: null }), false],
	])('%s', async (_, change, result) => {
		await workflow.publish();
		sandbox().webhook = change(sandbox().webhook.url!);
		const webhook = { ...sandbox().webhook };
		expect(await workflow.checkExists()).toBe(result);
		expect(sandbox().webhook).toEqual(webhook);
	});

	it('is false after a move to another host, and when nothing is stored', async () => {
		await workflow.publish();
		workflow.options.instanceUrl = 'http://localhost:9999';
		expect(await workflow.checkExists()).toBe(false);
		workflow.options = {};
		workflow.staticData = {};
		expect(await workflow.checkExists()).toBe(false);
	});
});

describe('a webhook in use', () => {
	beforeEach(() => {
		sandbox().webhook = { url: foreign, enabled: true };
	});

	it('is refused by its host, and left alone', async () => {
		const error = await expectFailure(workflow.publish());
		expect(error.message).toBe(
			"The account has one webhook, and crm.example.com is using it. Switch it off there, or set 'If the Webhook Is in Use' to 'Take Over', and publish again.",
		);
		expect(textOf(error)).not.toMatch(/hush|hooks/);

		// n8n calls `delete` after each attempt.
		const { logs } = await workflow.unpublish();
		expect(logs.join()).toContain('Left the webhook of the account alone');
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
		expect(sandbox().requests({ operation: 'setWebhook' })).toEqual([]);
	});

	it('is taken over and given back', async () => {
		workflow.options.conflict = 'takeOver';
		await workflow.publish();
		expect(left(sandbox())).toBe(production);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
	});

	it('is no conflict when it is off, and is given back so', async () => {
		sandbox().webhook.enabled = false;
		await workflow.publish();
		expect(left(sandbox())).toBe(production);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: false });
	});

	it('is no conflict when it is an earlier registration of this node', async () => {
		const old = 'https://old.example.com/webhook/workflow-1-webhook/webhook?token=lost';
		sandbox().webhook.url = old;
		await workflow.publish();
		expect(left(sandbox())).toBe(production);
		await workflow.unpublish();
		expect(left(sandbox())).toMatch(/, off$/);
	});

	it('may be something that is no web address', async () => {
		sandbox().webhook.url = 'see the manual';
		const error = await expectFailure(workflow.publish());
		expect(error.message).toContain('something that is not a web address is using it');
	});
});

describe('unpublishing', () => {
	it('leaves alone what is not ours any more', async () => {
		await workflow.publish();
		sandbox().webhook.url = foreign;
		expect(await calls(sandbox(), async () => await workflow.unpublish())).toEqual(['read']);
		expect(left(sandbox())).toBe(foreign);
	});

	it('leaves alone an account without a webhook', async () => {
		await workflow.publish();
		sandbox().webhook = { url: null, enabled: null };
		await workflow.unpublish();
		expect(left(sandbox())).toBe('none');
	});

	it('works when n8n has stored nothing', async () => {
		await workflow.publish();
		workflow.staticData = {};
		await workflow.unpublish();
		expect(left(sandbox())).toBe(`${production}, off`);
	});

	it('finds the registration that it made under another host', async () => {
		await workflow.publish();
		workflow.options.instanceUrl = 'http://localhost:9999';
		await workflow.unpublish();
		expect(left(sandbox())).toBe(`${production}, off`);
	});
});

describe('listening for a test event', () => {
	const test = 'test of workflow-1';

	it.each(['refuse', 'takeOver'] as const)('borrows from anybody, with %s', async (conflict) => {
		workflow.options.conflict = conflict;
		sandbox().webhook = { url: foreign, enabled: true };
		const made = await calls(sandbox(), async () => {
			await workflow.listen();
			await workflow.endTest();
		});
		expect(made).toEqual(['read', `set ${test}`, 'read', `set ${foreign}`]);
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
	});

	it('gives production its webhook back, secret and all', async () => {
		await workflow.publish();
		const webhook = { ...sandbox().webhook };
		await workflow.listen();
		expect(left(sandbox())).toBe(test);
		await workflow.endTest();
		expect(sandbox().webhook).toEqual(webhook);
		expect(await workflow.checkExists()).toBe(true);
	});

	it('gives it back to another workflow too', async () => {
		await workflow.publish();
		const other = new TriggerWorkflow(sandbox(), 'workflow-2');
		await other.listen();
		expect(left(sandbox())).toBe('test of workflow-2');
		await other.endTest();
		expect(await workflow.checkExists()).toBe(true);
	});

	it('switches the webhook off where there was none', async () => {
		await workflow.listen();
		await workflow.endTest();
		expect(left(sandbox())).toBe(`${test}, off`);
	});

	it('never gives back the URL of a test', async () => {
		await workflow.listen();
		const other = new TriggerWorkflow(sandbox(), 'workflow-2');
		await other.listen();
		await other.endTest();
		expect(left(sandbox())).toBe('test of workflow-2, off');
		await workflow.endTest();
		expect(left(sandbox())).toBe('test of workflow-2, off');
	});

	it('does not end a publication made meanwhile', async () => {
		await workflow.listen();
		await workflow.publish();
		await workflow.endTest();
		expect(await workflow.checkExists()).toBe(true);
	});

	it('gives nothing back that was unpublished meanwhile', async () => {
		const other = new TriggerWorkflow(sandbox(), 'workflow-2');
		for (const listener of [workflow, other]) {
			await workflow.publish();
			await listener.listen();
			await workflow.unpublish();
			expect(left(sandbox())).toBe(`test of ${listener.id}`);
			await listener.endTest();
			expect(left(sandbox())).toBe(`test of ${listener.id}, off`);
		}
	});

	it('keeps another workflow from being published, unless that takes over', async () => {
		await workflow.listen();
		const other = new TriggerWorkflow(sandbox(), 'workflow-2');
		const error = await expectFailure(other.publish());
		expect(error.message).toContain('another workflow is listening for a test event');

		other.options.conflict = 'takeOver';
		await other.publish();
		await workflow.endTest();
		expect(left(sandbox())).toBe('production of workflow-2');
		await other.unpublish();
		expect(left(sandbox())).toBe('production of workflow-2, off');
	});

	it('keeps nobody from anything when its n8n has died', async () => {
		await workflow.listen();
		sandbox().webhook.url = sandbox().webhook.url!.replace(/testUntil=\d+/, 'testUntil=1');
		const other = new TriggerWorkflow(sandbox(), 'workflow-2');
		await other.publish();
		expect(left(sandbox())).toBe('production of workflow-2');
	});
});

/** As a restart does. The oldest is forgotten when there is much. */
function forgetAll(): void {
	for (let index = 0; index < 10_000; index++) rememberEnd(`https://n8n.example.com/${index}`);
}

/** crm.example.com has the webhook at the start, and has it again when all is over. */
describe('somebody else’s webhook beneath what overlaps', () => {
	const crm = { url: foreign, enabled: true };
	let second: TriggerWorkflow;
	beforeEach(() => {
		sandbox().webhook = { ...crm };
		second = new TriggerWorkflow(sandbox(), 'workflow-2');
	});

	it('is not displaced by publishing while listening, with Refuse', async () => {
		for (const listener of [workflow, second]) {
			await listener.listen();
			const error = await expectFailure(workflow.publish());
			expect(error.message).toContain('crm.example.com is using it');
			await workflow.unpublish(); // n8n calls `delete` after each attempt
			expect(left(sandbox())).toBe(`test of ${listener.id}`);
			await listener.endTest();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it('is not displaced in place of a test that nobody ended, with Refuse', async () => {
		await workflow.listen();
		sandbox().webhook.url = sandbox().webhook.url!.replace(/testUntil=\d+/, 'testUntil=1');
		const error = await expectFailure(second.publish());
		expect(error.message).toContain('crm.example.com is using it');
	});

	it('is given back after publishing while listening, with Take Over', async () => {
		for (const listener of [workflow, second]) {
			workflow.options.conflict = 'takeOver';
			await listener.listen();
			await workflow.publish();
			await listener.endTest();
			expect(left(sandbox())).toBe(production);
			await workflow.unpublish();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it('is given back after publishing again while listening', async () => {
		workflow.options.conflict = 'takeOver';
		await workflow.publish();
		await workflow.listen();
		await workflow.unpublish();
		await workflow.publish();
		await workflow.endTest();
		expect(left(sandbox())).toBe(production);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});

	it('is given back by a test that outlives its publication', async () => {
		workflow.options.conflict = 'takeOver';
		for (const listener of [workflow, second]) {
			await workflow.publish();
			await listener.listen();
			await workflow.unpublish();
			expect(left(sandbox())).toBe(`test of ${listener.id}`);
			await listener.endTest();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it.each([
		['the first ends first', [0, 1]],
		['the second ends first', [1, 0]],
	])('is given back after two tests at once: %s', async (_, order) => {
		for (const other of [second, new TriggerWorkflow(sandbox())]) {
			const tests = [workflow, other];
			for (const test of tests) await test.listen();
			for (const index of order) await tests[index]!.endTest();
			expect(sandbox().webhook).toEqual(crm);
		}
	});

	it('is given back after a test whose end went wrong', async () => {
		await workflow.listen();
		sandbox().fault({ times: 1, fault: { status: 503 } });
		await workflow.endTest();
		await second.listen();
		await second.endTest();
		expect(sandbox().webhook).toEqual(crm);
	});

	it('is given back when the first of two workflows ends first', async () => {
		for (const each of [workflow, second]) {
			each.options.conflict = 'takeOver';
			await each.publish();
		}
		await workflow.unpublish();
		await second.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});

	it('is given back when each of two has taken the webhook from the other', async () => {
		for (const each of [workflow, second]) each.options.conflict = 'takeOver';
		await workflow.publish();
		await second.publish();
		await workflow.unpublish();
		await workflow.publish();
		await second.unpublish();
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});

	it('is known again after a restart', async () => {
		workflow.options.conflict = 'takeOver';
		await workflow.publish();
		forgetAll();
		await workflow.restart();
		second.options.conflict = 'takeOver';
		await second.publish();
		await workflow.unpublish();
		await second.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});
});

describe('two workflows with one account', () => {
	let second: TriggerWorkflow;
	beforeEach(async () => {
		second = new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' });
		await workflow.publish();
	});

	it('names the other trigger', async () => {
		second.options.conflict = 'refuse';
		const error = await expectFailure(second.publish());
		expect(error.message).toContain(
			'another Messaging Gateway Trigger, at localhost:5678 is using it',
		);
		expect(textOf(error)).not.toMatch(/[\da-f]{64}|\/webhook/);
	});

	it('the second gives the webhook back to the first', async () => {
		await second.publish();
		expect(left(sandbox())).toBe('production of workflow-2');
		await second.unpublish();
		expect(await workflow.checkExists()).toBe(true);
	});

	it('the first leaves the second alone, which then gives nothing back', async () => {
		await second.publish();
		await workflow.unpublish();
		expect(left(sandbox())).toBe('production of workflow-2');
		await second.unpublish();
		expect(left(sandbox())).toBe('production of workflow-2, off');
	});

	it('each may be published again', async () => {
		workflow.options.conflict = 'takeOver';
		await second.publish();
		await workflow.unpublish();
		await workflow.publish();
		expect(left(sandbox())).toBe(production);
		await second.unpublish();
		expect(left(sandbox())).toBe(production);
	});

	it('all at once, one has it and each ends cleanly', async () => {
		workflow.options.conflict = 'takeOver';
		await Promise.all([workflow.publish(), second.publish()]);
		expect(left(sandbox())).toMatch(/^production of workflow-[12]$/);
		await Promise.all([workflow.unpublish(), second.unpublish()]);
	});
});

describe('a service that does not play along', () => {
	it.each([
		['getWebhook', { refuse: 'Token inválido.', status: 401 }, 'rejected the credential'],
		['getWebhook', { status: 503 }, 'not available right now'],
		['getWebhook', { html: true }, 'something other than JSON'],
		['getWebhook', { status: 200, body: { ok: true } }, 'unknown kind'],
		['setWebhook', { refuse: 'Token inválido.' }, 'rejected the credential'],
		['setWebhook', { status: 500, body: {} }, 'could not process the request'],
		['setWebhook', { status: 500, body: { url: foreign } }, '"https://crm.example.com"'],
		['setWebhook', { reset: 'beforeAccept' }, 'without an answer'],
	] as const)('%s %j: publishing says so', async (operation, fault, message) => {
		sandbox().fault({ operation, fault });
		const error = await expectFailure(workflow.publish());
		expect(error.name).toBe('NodeApiError');
		expect(error.message).toContain(message);
		expect(error.description).toBeTruthy();
		expect(`${error.message} ${error.description}`).not.toMatch(/in the options|this item|Retries/);
		expect(textOf(error)).not.toMatch(/[\da-f]{64}|hush|hooks/);
		expect(textOf(error)).not.toContain(sandbox().credential.apiKey);
	});

	it('undoes a registration whose answer was lost', async () => {
		sandbox().fault({ operation: 'setWebhook', times: 1, fault: { reset: 'afterAccept' } });
		await expectFailure(workflow.publish());
		expect(left(sandbox())).toBe(production);
		await workflow.unpublish();
		expect(left(sandbox())).toBe(`${production}, off`);
	});

	it.each(['getWebhook', 'setWebhook'] as const)(
		'unpublishing says so and can be tried again: %s',
		async (operation) => {
			await workflow.publish();
			sandbox().fault({ operation, times: 1, fault: { status: 503 } });
			await expectFailure(workflow.unpublish());
			expect(left(sandbox())).toBe(production);
			await workflow.unpublish();
			expect(left(sandbox())).toBe(`${production}, off`);
		},
	);

	it('keeps what was borrowed over an unpublishing in vain', async () => {
		sandbox().webhook = { url: foreign, enabled: true };
		workflow.options.conflict = 'takeOver';
		await workflow.publish();
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		await expectFailure(workflow.unpublish());
		sandbox().webhook.url = sandbox().webhook.url!.replace(/.$/, 'x'); // so that it is made anew
		await workflow.publish();
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ url: foreign, enabled: true });
	});
});

describe('settings', () => {
	it('refuses an address that the service cannot reach, before any call', async () => {
		workflow.options.credential = { baseUrl: 'https://gateway.invalid' };
		workflow.options.instanceUrl = 'http://192.168.0.5:5678';
		const error = await expectFailure(workflow.publish());
		expect(error.message).toBe(
			'The service at gateway.invalid cannot deliver to this n8n at http://192.168.0.5:5678. Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to the public https address of n8n, and restart it.',
		);
		await expect(workflow.listen()).rejects.toThrow('N8N_WEBHOOK_URL');
	});

	it('refuses allowed IPs that are none', async () => {
		workflow.options.options = { allowedIps: '192.0.2.0/24, 192.0.2.256' };
		const error = await expectFailure(workflow.publish());
		expect(error.message).toContain("not an IP address or range: '192.0.2.256'");
		expect(sandbox().requests()).toEqual([]);
	});

	it('does not give one account what it borrowed from another', async () => {
		const other = await startSandbox();
		sandbox().webhook = { url: foreign, enabled: true };
		workflow.options.conflict = 'takeOver';
		await workflow.publish();

		workflow.options.credential = other.credential as unknown as IDataObject;
		await workflow.restart(); // or the watch's next look
		expect(left(other)).toBe(production);
		await workflow.unpublish();
		expect(left(other)).toBe(`${production}, off`);
		await other.close();
	});
});
