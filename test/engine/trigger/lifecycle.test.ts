import {
	calls,
	crm,
	expectFailure,
	foreign,
	forgetAll,
	left,
	reported,
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

describe('publish and unpublish', () => {
	it('points the webhook here, checks whether it does, and switches it off again', async () => {
		expect(await calls(sandbox(), async () => await workflow.publish())).toEqual([
			'read',
			`set ${production}`,
			'read',
		]);
		expect(left(sandbox())).toBe(production);
		const url = sandbox().webhook.url!;
		const id = Buffer.from('workflow-1').toString('base64url');
		expect(url).toMatch(new RegExp(`\\?mgt=v1\\.p\\.${id}\\.[\\w-]{43}$`));
		const stored = JSON.stringify(workflow.staticData); // where the workflow shows it
		expect(stored).toContain('digest');
		expect(stored).not.toContain(secretIn(url));

		let logs: string[] = [];
		const unpublish = async () => ({ logs } = await workflow.unpublish());
		expect(await calls(sandbox(), unpublish)).toEqual(['read', `switch off ${production}`]);
		expect(logs.join()).not.toContain('Left the webhook');
		expect(sandbox().webhook.url).not.toContain(secretIn(url));
		expect(workflow.staticData).toEqual({ 'node:Messaging Gateway Trigger': {} });
	});

	stories(sandbox, {
		'leaves an account without a webhook': 'publish 1; none; unpublish 1 → none',
		'leaves a webhook that was taken meanwhile': 'publish 1; crm; unpublish 1 → crm',
		'replaces one that is off': 'crm; off; publish 1 → production of 1',
		'knows its URL of an earlier API key': 'publish 1; key 1; unpublish 1 → production of 1, off',
		'replaces it, and a test of its own':
			'publish 1; key 1; publish 1; exists 1; listen 1; publish 1 → production of 1; end 1; exists 1',
		'is refused while another workflow has it': 'publish 1; try publish 2 → production of 1',
		'is refused while another workflow listens': 'listen 1; try publish 2 → test of 1',
		'is not refused where its clock was ahead': 'late listen 1; publish 2 → production of 2',
		'is not refused where that one’s n8n has died': 'listen 1; late publish 2 → production of 2',
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
});

describe('a test event', () => {
	stories(sandbox, {
		'borrows its publication’s webhook, and gives it back as it was':
			'publish 1; listen 1 → test of 1; end 1 → production of 1; exists 1',
		'also where the service has lost that':
			'publish 1; none; listen 1 → test of 1; end 1; exists 1',
		'also with other endpoints (N8N_ENDPOINT_WEBHOOK), after n8n’s start':
			'publish 1; forget; hooks 1; restart 1; listen 1 → test of 1; end 1; exists 1',
		'also where tests have another host (N8N_EDITOR_BASE_URL)':
			'publish 1; move 1; listen 1; end 1 → production of 1',
		'switches the webhook off where there was none': 'listen 1; end 1 → test of 1, off',
		'also where the service has dropped the query': 'listen 1; cut; end 1 → test of 1, off',
		'replaces one that is off': 'crm; off; listen 1; end 1 → test of 1, off',
		'switches it off where its publication has ended meanwhile':
			'publish 1; listen 1; unpublish 1 → test of 1; end 1 → test of 1, off',
		'is refused over somebody else’s': 'crm; try listen 1 → crm; end 1 → crm',
		'is refused over another workflow’s':
			'publish 2; try listen 1 → production of 2; end 1 → production of 2; exists 2',
		'is refused over another test': 'listen 2; try listen 1 → test of 2; end 1 → test of 2',
		'prevents nothing when its n8n has died': 'listen 1; late listen 2 → test of 2',
		'is over at the start of its n8n': 'publish 1; listen 1; forget; restart 1; exists 1',
		'is over after its time': 'publish 1; listen 1; late check 1; exists 1',
		'is given back by the next check where its end has failed':
			'publish 1; listen 1; down; end 1 → test of 1; late check 1; exists 1',
		'gives back what was taken meanwhile to nobody': 'publish 1; listen 1; crm; end 1 → crm',
		'cannot borrow with another API key, before the publication has it':
			'publish 1; key 1; try listen 1 → production of 1; check 1; listen 1; end 1; exists 1',
	});
});

it('names the host that uses the webhook, and leaves it alone', async () => {
	sandbox().webhook = { ...crm };
	const error = await expectFailure(workflow.publish());
	expect(error.message).toBe(
		"The account has one webhook, and crm.example.com is using it. Nothing was changed. Switch it off there, or with 'Webhook: Set' ('Enable' off; note its URL with 'Webhook: Get' first, since publishing replaces it), then try again. To have both, see 'Several workflows, one account' in the Docs of this node.",
	);
	expect(textOf(error)).not.toMatch(/hush|hooks/);

	// n8n calls `delete` after each attempt.
	const { logs } = await workflow.unpublish();
	expect(logs.join()).toContain('info: Left the webhook of the account alone');
	expect(sandbox().webhook).toEqual(crm);
	expect(sandbox().requests({ operation: 'setWebhook' })).toEqual([]);
});

it('is refused while another one of this process is about to set it', async () => {
	sandbox().fault({ operation: 'setWebhook', times: 1, fault: { delayMs: 100 } });
	const first = workflow.publish();
	await expectFailure(new TriggerWorkflow(sandbox(), 'workflow-2').publish());
	await first;
	expect(left(sandbox())).toBe(production);
});

it('takes what a newer version has registered for a URL that has lost its query', async () => {
	const url = 'http://localhost:1/webhook/workflow-1-webhook/webhook?mgt=v2.p.of.a.newer.version';
	sandbox().webhook = { url, enabled: true };
	await workflow.publish();
	expect(sandbox().webhook.url).toContain('?mgt=v1.p.');
	await workflow.unpublish();
	expect(left(sandbox())).toBe(`${production}, off`);
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

	it('ends a failed publication without throwing, which would break n8n', async () => {
		sandbox().fault({ fault: { status: 503 } });
		await expectFailure(workflow.publish());
		const { logs, result } = await workflow.unpublish();
		expect(logs.join()).toContain('error: Could not switch the webhook of the account off');
		expect(result).toBe(false);
	});
});

describe('a service that does not keep the URL', () => {
	const off = { url: foreign, enabled: false };
	beforeEach(() => {
		sandbox().webhook = { ...off };
	});

	it.each<[string, (url: string) => string | null, string]>([
		['cuts it off', (url) => url.slice(0, 100), 'it shows a URL of 100 characters at localhost'],
		['changes it', (url) => url.toLowerCase(), 'at localhost'],
		['forgets it', () => null, 'it shows none'],
	])('because it %s: publishing says so', async (_, change, message) => {
		const given = (url: string) => (url.startsWith('http://localhost') ? change(url) : url);
		storeUrlsAs(sandbox(), given);
		const error = await expectFailure(workflow.publish());
		expect(error.name).toBe('NodeOperationError');
		expect(error.message).toContain('did not save the webhook URL correctly: ');
		expect(error.message).toContain(message);
		expect(textOf(error)).not.toMatch(/hush|hooks|v1\.p/);
		expect(sandbox().webhook).toEqual(off);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual(off);
	});

	it('restores the publication that a test would have borrowed, and no test that is over', async () => {
		sandbox().webhook = { url: null, enabled: null };
		await workflow.publish();
		const { url } = sandbox().webhook;
		storeUrlsAs(sandbox(), (given) => (given.includes('.t') ? `${given}x` : given));
		sandbox().webhook.url = url;
		await expectFailure(workflow.listen());
		expect(sandbox().webhook).toEqual({ url, enabled: true });

		const test = url!.replace('.p.', '.tmwm0nk7.'); // an hour of the last century
		sandbox().webhook = { url: test, enabled: true };
		storeUrlsAs(sandbox(), () => test);
		sandbox().webhook.url = test;
		await expectFailure(new TriggerWorkflow(sandbox(), 'workflow-2').publish());
		expect(sandbox().webhook).toEqual({ url: test, enabled: false });
	});

	it('because it leaves it off: publishing says so', async () => {
		sandbox().webhook = { url: null, enabled: null };
		Object.defineProperty(sandbox().webhook, 'enabled', { get: () => false, set: () => {} });
		await expect(workflow.publish()).rejects.toThrow(
			/correctly: it shows a URL of \d+ characters at localhost:\d+, switched off/,
		);
		expect(left(sandbox())).toBe(`${production}, off`);
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

	it('because it lags a minute: restores what was there, and says so', async () => {
		const stored: Array<string | null> = [];
		Object.defineProperty(sandbox().webhook, 'url', {
			enumerable: true,
			get: () => foreign,
			set: (given: string) => stored.push(given),
		});
		Object.defineProperty(sandbox().webhook, 'enabled', { get: () => false, set: () => {} });
		const { message } = await expectFailure(workflow.publish());
		expect(message).toContain(' at crm.example.com, switched off. The previous');
		await workflow.unpublish();
		expect(stored).toEqual([expect.stringContaining('localhost:1'), foreign]);
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
		["'192.0.2.256' in 'Allowed IPs' is no", { allowedIps: '192.0.2.0/24, 192.0.2.256' }],
		["'Allowed IPs'", { allowedIps: '={{ " , " }}' }],
		["'Match'", { match: { conditions: [{ field: 'status', value: '={{ undefined }}' }] } }],
		["'Match'", { match: { conditions: [{ field: '={{ null }}', value: 'sent' }] } }],
		["'Match'", { match: { conditions: [{ field: '{{ $json.status }}', value: 'sent' }] } }],
		["'Match'", { match: { conditions: [{ field: '$json.status', value: 'sent' }] } }],
		["'Match'", { match: { conditions: [{ field: ' ', value: 'sent' }] } }],
		["'Match'", { match: { conditions: [{ field: 'status', value: '' }] } }],
		["'Match'", { match: { conditions: [{ field: '', value: '' }] } }],
		['invalid syntax', { includeHeaders: '={{ $json.on( }}' }],
	])('refuses, with %s, what would start nothing or everything, or fail: %j', async (...row) => {
		const [message, options] = row;
		workflow.options.options = options as never;
		await expect(workflow.publish()).rejects.toThrow(message);
		expect(left(sandbox())).toBe('none');
	});

	it('refuses an N8N_WEBHOOK_URL where n8n would answer 404', async () => {
		workflow.options.instanceUrl = 'https://n8n.example.com/webhook';
		for (const act of [workflow.publish(), workflow.listen()]) {
			const { message } = await expectFailure(act);
			expect(message).toContain(
				'ends with /webhook, which n8n adds itself: https://n8n.example.com/',
			);
		}
		await workflow.unpublish();
		expect(sandbox().requests({ operation: 'setWebhook' })).toEqual([]);
	});
});

describe('a copy of n8n’s database, at another address', () => {
	const instanceUrl = 'https://n8n.example.com';

	it('takes the webhook at its start, as if n8n had moved; the first one leaves it, and says so', async () => {
		await workflow.publish();
		const copy = new TriggerWorkflow(sandbox(), 'workflow-1', {
			instanceUrl: 'http://localhost:2',
		});
		copy.staticData = structuredClone(workflow.staticData);
		forgetAll();
		await copy.restart();
		const { url } = sandbox().webhook;
		expect(url).toContain('localhost:2');
		forgetAll();
		await workflow.publish('leadershipChange'); // in its own process
		const watch = await workflow.watch();
		for (let check = 0; check < 4; check++) await watch.tick();
		const said = expect.stringMatching(
			/was taken by this workflow on another n8n at localhost:2\. .* set 'Only Use in This n8n'/,
		) as string;
		expect(reported(watch)).toEqual([said]);
		await watch.close();
		expect((await workflow.unpublish()).logs.join()).toContain('it does not point to this node');
		expect(sandbox().webhook).toEqual({ url, enabled: true });
	});

	it('leaves it alone where the credential names the n8n, whatever n8n does', async () => {
		const credential = { n8nAddress: instanceUrl };
		workflow.options = { instanceUrl, credential };
		await workflow.publish();
		const { webhook } = sandbox();
		const elsewhere = { instanceUrl: 'https://staging.example.com', credential };
		const copy = new TriggerWorkflow(sandbox(), 'workflow-1', elsewhere);
		copy.staticData = structuredClone(workflow.staticData);
		const before = sandbox().requests().length;
		const refused = 'only be used in the n8n at https://n8n.example.com';
		expect((await copy.restart())?.logs.join()).toContain(refused);
		const watch = await copy.watch();
		for (let check = 0; check < 4; check++) await watch.tick();
		expect(reported(watch)).toEqual([expect.stringContaining(refused)]);
		await watch.close();
		await expect(copy.publish()).rejects.toThrow(refused);
		await expect(copy.publish()).rejects.toThrow(
			"correct 'Only Use in This n8n' in the credential",
		); // all that n8n shows
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
		await workflow.publish();
		workflow.options.credential = { n8nAddress: [] };
		await expect(workflow.unpublish()).rejects.toThrow("'Only Use in This n8n'");
		workflow.options.credential = {};
		await workflow.unpublish();
		expect(left(sandbox())).toBe(`${production}, off`);
	});
});
