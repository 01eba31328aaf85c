import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../tools/sandbox';
import {
	afterItsEnd,
	calls,
	crm,
	expectFailure,
	forgetAll,
	foreign,
	left,
	secretIn,
	stories,
	storeUrlsAs,
	textOf,
	TriggerWorkflow,
	useSandbox,
} from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(() => {
	workflow = new TriggerWorkflow(sandbox());
});

const production = 'production of workflow-1';
/** Publishes over somebody else's webhook. */
async function takeOver(before: Sandbox['webhook'] = crm) {
	sandbox().webhook = { ...before };
	workflow.options.conflict = 'takeOver';
	await workflow.publish();
}

describe('publish and unpublish', () => {
	it('points the webhook here, checks whether it does, and switches it off again', async () => {
		expect(await calls(sandbox(), async () => await workflow.publish())).toEqual([
			'read',
			`set ${production}`,
			'read',
		]);
		expect(left(sandbox())).toBe(production);
		const url = sandbox().webhook.url!;
		expect(url).toMatch(/\?mgt=v1\.p\.[\w-]{43}$/);

		let logs: string[] = [];
		const unpublish = async () => ({ logs } = await workflow.unpublish());
		expect(await calls(sandbox(), unpublish)).toEqual(['read', `switch off ${production}`, 'read']);
		expect(logs.join()).not.toContain('Left the webhook');
		expect(sandbox().webhook.url).not.toContain(secretIn(url));
		expect(workflow.staticData).toEqual({ 'node:Messaging Gateway Trigger': {} });
	});

	it('keeps neither the secret nor what it displaced where the workflow shows it', async () => {
		await takeOver();
		const { url } = sandbox().webhook;
		const stored = JSON.stringify(workflow.staticData);
		expect(stored).toContain('localhost:1');
		for (const secret of [secretIn(url), url!.split('.').at(-1)!, 'crm', 'hush']) {
			expect(stored).not.toContain(secret);
		}
		expect(url).not.toMatch(/crm|hush/);
	});
});

it('names the host that uses the webhook, and leaves it alone', async () => {
	sandbox().webhook = { ...crm };
	const error = await expectFailure(workflow.publish());
	expect(error.message).toBe(
		"The account has one webhook, and crm.example.com is using it. Nothing was changed, and this workflow receives no deliveries. Switch it off there, or set 'If the Webhook Is in Use' to 'Take Over', which gives it back at the end. To have both, see 'Several workflows, one account' in the Docs of this node.",
	);
	expect(textOf(error)).not.toMatch(/hush|hooks/);

	// n8n calls `delete` after each attempt.
	const { logs } = await workflow.unpublish();
	expect(logs.join()).toContain('info: Left the webhook of the account alone');
	expect(sandbox().webhook).toEqual(crm);
	expect(sandbox().requests({ operation: 'setWebhook' })).toEqual([]);
});

describe('unpublishing', () => {
	stories(sandbox, {
		'leaves an account without a webhook': 'publish 1; none; unpublish 1 → none',
		'knows its URL of an earlier API key': 'publish 1; key 1; unpublish 1 → production of 1, off',
		'gives back what was off as it was':
			'crm; off; refuse 1; publish 1 → production of 1; unpublish 1 → crm, off',
	});

	it('reports a service that keeps showing this workflow, so that n8n tries again', async () => {
		await takeOver();
		const { url } = sandbox().webhook;
		storeUrlsAs(sandbox(), () => url);
		sandbox().webhook.url = url;
		const error = await expectFailure(workflow.unpublish());
		expect(error.message).toContain('its webhook still points to this workflow');
	});

	it.each<[string, RegExp, string, boolean]>([
		['another n8n has sealed', /.{4}$/, 'AAAA', true],
		['nobody knows', /\?.*/, '', false],
	])('says that it cannot give back what %s: %s → %s, %s', async (_, part, other, isSaid) => {
		await takeOver();
		sandbox().webhook.url = sandbox().webhook.url!.replace(part, other);
		forgetAll();
		const { logs } = await workflow.unpublish();
		expect(left(sandbox())).toContain(', off');
		expect(logs.join().includes('cannot be given back')).toBe(isSaid);
	});
});

describe('two workflows with one account', () => {
	let second: TriggerWorkflow;
	beforeEach(() => {
		second = new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' });
	});

	stories(
		sandbox,
		{
			'one that was taken over has its turn again as soon as the webhook is free':
				'publish 2 → production of 2; unpublish 2 → production of 1',
			'but not where n8n has ended its watch, or the other one is in another process':
				'close 1; publish 2; unpublish 2 → production of 2, off',
		},
		{ opening: 'refuse 1; publish 1; check 1; ' },
	);

	it('asks only triggers at the same service whether they have their turn', async () => {
		const baseUrl = sandbox().credential.baseUrl.replace('127.0.0.1', 'localhost');
		const other = new TriggerWorkflow(sandbox(), 'workflow-3', { credential: { baseUrl } });
		await other.publish();
		const watch = await other.watch();
		await watch.tick();
		await second.publish();
		expect(await calls(sandbox(), async () => await second.unpublish())).toEqual([
			'read',
			'switch off production of workflow-2',
			'read',
		]);
		await watch.close();
	});

	it.each<[string, () => Promise<unknown>, string | undefined]>([
		['another trigger', async () => await second.publish(), 'at localhost:1 is using it'],
		['the CRM', async () => void (sandbox().webhook = { ...crm }), 'crm.example.com is using it'],
		['a test that will give it back', async () => await second.listen(), undefined],
	])('%s is quicker than the check whether the URL is kept', async (_, overtake, text) => {
		let writes = 0;
		let goOn = () => {};
		const isOvertaken = new Promise<void>((resolve) => (goOn = resolve));
		workflow.options.conflict = 'takeOver';
		// In another process, which has its own queue for the account: by another name of its host here.
		const baseUrl = sandbox().credential.baseUrl.replace('127.0.0.1', 'localhost');
		second.options.credential = { baseUrl };
		workflow.options.onRequest = async ({ method }) => {
			if (method === 'POST') writes++;
			else if (writes > 0) await isOvertaken;
		};
		const publishing = workflow.publish().then(
			() => undefined,
			(error: Error) => error.message,
		);
		while (left(sandbox()) !== production) await wait(1);
		await overtake();
		goOn();
		const { url } = sandbox().webhook;
		const message = await publishing;
		if (text) expect(message).toContain(text);
		else expect(message).toBeUndefined();
		expect(sandbox().webhook).toEqual({ url, enabled: true });
		expect(writes).toBe(1);
	});
});

describe('a service that fails', () => {
	it.each([
		['getWebhook', { refuse: 'Token inválido.', status: 401 }, 'rejected the credential'],
		['getWebhook', { status: 503 }, 'not available right now'],
		['getWebhook', { status: 200, body: { url: 7, enabled: false } }, 'unexpected answer'],
		['setWebhook', { refuse: 'Token inválido.' }, 'rejected the credential'],
		['setWebhook', { status: 500, body: {} }, 'could not process the request'],
		['setWebhook', { status: 500, body: { url: foreign } }, '"***"'],
	] as const)('%s %j: publishing says so', async (operation, fault, message) => {
		sandbox().fault({ operation, fault });
		const error = await expectFailure(workflow.publish());
		expect(error.name).toBe('NodeApiError');
		expect(error.message).toContain(message);
		expect(error.description).toBeTruthy();
		expect(`${error.message} ${error.description}`).not.toMatch(/in the options|this item|Retries/);
		expect(textOf(error)).not.toMatch(/v1\.p|hush|hooks/);
		expect(textOf(error)).not.toContain(sandbox().credential.apiKey);
	});

	it('has ten seconds for an answer', async () => {
		const timeouts: unknown[] = [];
		workflow.options.onRequest = ({ timeout }) => void timeouts.push(timeout);
		await workflow.publish();
		expect(timeouts).toEqual([10_000, 10_000, 10_000]);
	});

	it.each(['getWebhook', 'setWebhook'] as const)(
		'unpublishing reports it and can be repeated: %s',
		async (operation) => {
			await workflow.publish();
			sandbox().fault({ operation, times: 1, fault: { status: 503 } });
			const { message, description } = await expectFailure(workflow.unpublish());
			expect(message).toContain(description); // all that n8n shows
			expect(left(sandbox())).toBe(production);
			await workflow.unpublish();
			expect(left(sandbox())).toBe(`${production}, off`);
		},
	);

	it('ends a failed publication without throwing, which would break n8n', async () => {
		sandbox().fault({ fault: { status: 503 } });
		await expectFailure(workflow.publish());
		const { logs } = await workflow.unpublish();
		expect(logs.join()).toContain('error: Could not give the webhook of the account back');
	});
});

describe('a service that does not keep the URL', () => {
	beforeEach(() => {
		workflow.options.conflict = 'takeOver';
		sandbox().webhook = { ...crm };
	});

	it.each<[string, (url: string) => string | null, string]>([
		['drops its query', (url) => url.split('?')[0]!, '53 of '],
		['cuts it off', (url) => url.slice(0, 120), '120 of '],
		['changes it', (url) => url.toLowerCase(), 'it was changed'],
		['forgets it', () => null, 'it has none now'],
	])('because it %s: publishing says so', async (_, change, message) => {
		const given = (url: string) => (url.startsWith('http://localhost') ? change(url) : url);
		storeUrlsAs(sandbox(), given);
		const error = await expectFailure(workflow.publish());
		expect(error.name).toBe('NodeOperationError');
		expect(error.message).toContain('did not store the webhook URL unchanged');
		expect(error.message).toContain(message);
		expect(textOf(error)).not.toMatch(/hush|hooks|v1\.p/);
		// What was there is restored, although it could not be sealed.
		expect(sandbox().webhook).toEqual(crm);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(crm);
	});

	it('gets back what a test that is over had borrowed, and not the test', async () => {
		await new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' }).listen();
		storeUrlsAs(sandbox(), (url) => (url.startsWith('http://localhost') ? `${url}x` : url));
		await afterItsEnd(async () => await expectFailure(workflow.listen()));
		expect(sandbox().webhook).toEqual(crm);
	});

	it('because it leaves it off: publishing says so', async () => {
		Object.defineProperty(sandbox().webhook, 'enabled', { get: () => false, set: () => {} });
		await expect(workflow.publish()).rejects.toThrow('unchanged: it is switched off.');
	});

	it('gets a moment to show what it was given', async () => {
		const { webhook } = sandbox();
		let reads = 0;
		let url: string | null = foreign;
		let old: string | null = foreign;
		Object.defineProperty(webhook, 'url', {
			enumerable: true,
			get: () => (reads++ > 3 ? url : old),
			set: (given: string) => {
				old = url;
				url = given;
				reads = 2;
			},
		});
		await workflow.publish();
		expect(left(sandbox())).toBe(production);
	});

	const trigger = `https://crm.example.com/webhook?mgt=v1.p.${'a'.repeat(43)}`;
	it.each([foreign, trigger])(
		'because it shows changes late: restores %s, and says so',
		async (url) => {
			sandbox().webhook.url = url;
			const stored: Array<string | null> = [url];
			Object.defineProperty(sandbox().webhook, 'url', {
				enumerable: true,
				get: () => url, // it lags a minute
				set: (given: string) => stored.push(given),
			});
			const error = await expectFailure(workflow.publish());
			expect(stored.at(-1)).toBe(url);
			expect(stored).toHaveLength(3);
			expect(error.message).toContain('unchanged: it points to crm.example.com. The previous');
			expect(textOf(error)).not.toMatch(/hush|v1\.p/);
			await workflow.unpublish();
			expect(stored.at(-1)).toBe(url);
		},
	);

	it('cannot borrow a URL that is too long to carry', async () => {
		sandbox().webhook.url = `${foreign}&${'x'.repeat(1_500)}`;
		const error = await expectFailure(workflow.publish());
		expect(error.message).toContain('too long to be given back later');
		expect(error.description).toContain('2000 characters');
		expect(sandbox().requests({ operation: 'setWebhook' })).toEqual([]);
	});
});

describe('settings', () => {
	it('refuses an address that the service cannot reach, before any call', async () => {
		workflow.options.credential = { baseUrl: 'https://gateway.invalid' };
		workflow.options.instanceUrl = 'http://192.168.0.5:5678';
		await expect(workflow.listen()).rejects.toThrow(
			"The service at gateway.invalid can't reach this n8n at http://192.168.0.5:5678. Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to the public https address of n8n, then restart n8n.",
		);
	});

	it.each([
		['new', false],
		['registered already', true],
	])('refuses invalid allowed IPs when the webhook is %s', async (_, isRegistered) => {
		if (isRegistered) await workflow.publish();
		const before = { ...sandbox().webhook };
		workflow.options.options = { allowedIps: '192.0.2.0/24, 192.0.2.256' };
		const error = await expectFailure(workflow.publish());
		expect(error.message).toContain("IP addresses and ranges, not '192.0.2.256'");
		expect(sandbox().webhook).toEqual(before);
	});

	it.each([
		["'Allowed IPs'", { allowedIps: '={{ undefined }}' }],
		["'Match'", { match: { conditions: [{ field: 'status', value: '={{ undefined }}' }] } }],
		["'Match'", { match: { conditions: [{ field: '={{ null }}', value: 'sent' }] } }],
		["'Match'", { match: { conditions: [{ field: '{{ $json.status }}', value: 'sent' }] } }],
		["'Match'", { match: { conditions: [{ field: '$json.status', value: 'sent' }] } }],
		["'Match'", { match: { conditions: [{ field: '', value: 'sent' }] } }],
		['invalid syntax', { includeHeaders: '={{ $json.on( }}' }],
	])('refuses, with %s, what would start nothing or everything, or fail: %j', async (...row) => {
		const [message, options] = row;
		workflow.options.options = options as never;
		await expect(workflow.publish()).rejects.toThrow(message);
		expect(left(sandbox())).toBe('none');
	});

	it('does not give one account what it borrowed from another', async () => {
		const other = await startSandbox();
		await takeOver();
		workflow.options.credential = other.credential as unknown as IDataObject;
		await workflow.restart(); // or the watch's next check
		expect(left(other)).toBe(production);
		await workflow.unpublish();
		expect(left(other)).toBe(`${production}, off`);
		await other.close();
	});
});
