import { setTimeout as wait } from 'node:timers/promises';
import type { NodeApiError } from 'n8n-workflow';
import { publications } from '../../../nodes/MessagingGatewayTrigger/publication';
import { SEEDS, type Fault } from '../../../tools/sandbox';
import {
	calls,
	crm,
	expectFailure,
	foreign,
	left,
	storeUrlsAs,
	stories,
	textOf,
	TriggerWorkflow,
	useSandbox,
	waits,
} from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(async () => {
	workflow = new TriggerWorkflow(sandbox());
	await workflow.publish();
});

const production = 'production of workflow-1';
/** What a repair asks for: outside the queue, in its turn, and whether the service keeps the URL. */
const repaired = ['read', 'read', `set ${production}`, 'read'];

const none = { url: null, enabled: null };

/** Of the workflow, from its first check on. */
let watch: Awaited<ReturnType<TriggerWorkflow['watch']>> | undefined;
afterEach(async () => {
	await watch?.close();
	watch = undefined;
});
const begin = async () => (watch ??= await workflow.watch());
/** What a check asks the service for. */
const check = async () => await calls(sandbox(), (await begin()).tick);
/** The same of several. */
const checks = async (count: number) => {
	const made: string[] = [];
	for (let times = 0; times < count; times++) made.push(...(await check()));
	return made;
};
const failures = () => watch!.failedExecutions as NodeApiError[];
const logs = () => watch!.logs().join();

const lose = {
	'switched off': () => (sandbox().webhook.enabled = false),
	gone: () => (sandbox().webhook = { ...none }),
	'with another secret': () => {
		sandbox().webhook.url = sandbox().webhook.url!.replace(/.{4}$/, '0000');
	},
};

describe("n8n's start", () => {
	const starts = ['init', 'leadershipChange'] as const;
	it.each(starts)('goes on at %s when the service is down or the webhook taken', async (mode) => {
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		const down = await workflow.publish(mode);
		expect(down?.logs.join()).toContain('warn: The service is not available right now');

		sandbox().webhook = { ...crm };
		const taken = await workflow.publish(mode);
		expect(taken?.logs.join()).toContain('was taken by crm.example.com');
		expect(left(sandbox())).toBe(foreign);
	});

	it.each(starts)('needs nothing of what is stored at %s', async (mode) => {
		const stored = structuredClone(workflow.staticData);
		workflow.staticData = {};
		expect(await calls(sandbox(), async () => await workflow.publish(mode))).toEqual(['read']);
		expect(workflow.staticData).toEqual(stored); // the watch finds all it needs
		workflow.staticData = {};
		sandbox().webhook = { ...crm, enabled: false };
		await workflow.publish(mode);
		expect(left(sandbox())).toBe(production);
	});
});

describe('the watch', () => {
	it('checks every three minutes, and only reads while all is well', async () => {
		const { crons } = await begin();
		expect(crons).toEqual([expect.stringMatching(/^[1-5]?\d \*\/3 \* \* \* \*$/)]);
		expect(await check()).toEqual(['read']);
	});

	it.each(Object.entries(lose))('registers again what is %s', async (_, change) => {
		const { url } = sandbox().webhook;
		change();
		expect(await check()).toEqual(repaired);
		expect(sandbox().webhook).toEqual({ url, enabled: true });
		expect(logs()).toContain('The webhook of the account had to be registered again');
	});

	it('registers again although options hold expressions, which n8n does not evaluate in a check', async () => {
		const conditions = [{ field: "={{ 'status' }}", value: '={{ "sent" }}' }];
		workflow.options.options = { allowedIps: "={{ '127.0.0.1' }}", match: { conditions } };
		await begin();
		lose.gone();
		expect(await check()).toEqual(repaired);
		expect(left(sandbox())).toBe(production);
	});

	it('surfaces once an hour that the webhook was taken, and takes it when it is free', async () => {
		sandbox().webhook = { ...crm };
		for (let checks = 1; checks <= 22; checks++) {
			expect(await check()).toEqual(['read']);
			expect(failures()).toHaveLength([2, 22].filter((each) => each <= checks).length);
		}
		sandbox().webhook.enabled = false;
		expect(await check()).toEqual(repaired);
		const [error] = failures();
		expect(error!.message).toBe(
			'This workflow receives no deliveries: the webhook of its account was taken by crm.example.com',
		);
		expect(error!.description).toContain('within minutes, this node registers again');
		expect(textOf(error)).not.toMatch(/hush|hooks|[\da-f]{64}/);
		expect(logs()).not.toMatch(/hush|[\da-f]{64}/);
	});

	stories(sandbox, {
		'follows a service that has dropped the query': 'publish 1; cut; check 1; exists 1',
		'does not disturb a test of its own':
			'publish 1; listen 1; check 1 → test of 1; end 1; exists 1',
		'does not disturb one with another API key at another host':
			'publish 1; none; key 1; move 1; listen 1; check 1; check 1 → test of 1; end 1 → production of 1',
		'does not disturb a test':
			'publish 1; none; listen 2; check 1; check 1 → test of 2; end 2; check 1; exists 1',
		'registers with another API key where nothing is': 'publish 1; key 1; none; check 1; exists 1',
		'registers with another API key what is off': 'publish 1; key 1; off; check 1; exists 1',
		'registers with another API key what another workflow has switched off':
			'publish 1; none; publish 2; unpublish 2; key 1; check 1; exists 1',
		'registers with another API key over its own': 'publish 1; key 1; check 1; exists 1',
	});

	it('checks right after the end of a test that nobody ends', async () => {
		await begin();
		await workflow.listen();
		const now = Date.now() + 100_000;
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
		const sleep = jest.spyOn(waits, 'sleep');
		sleep.mockImplementation(async (ms) => clock.mockReturnValue(now + ms));
		await check();
		expect(sleep).toHaveBeenCalledTimes(1);
		const [[ms] = [0]] = sleep.mock.calls;
		jest.restoreAllMocks();
		expect(ms).toBeGreaterThan(40_000);
		expect(ms).toBeLessThanOrEqual(50_000);
		expect(left(sandbox())).toBe(production);
	});

	it('leaves the webhook of another account alone', async () => {
		workflow.options.credential = { apiKey: SEEDS.apiKeys[1]!.key };
		sandbox().webhook = { ...crm };
		expect(await checks(3)).toEqual(['read', 'read', 'read']);
		expect(failures().map(({ message }) => message)).toEqual([
			'The credential now belongs to another account or has another API key, and the webhook there points to crm.example.com',
		]);
		sandbox().webhook.enabled = false; // what is off stays as it is, too
		await workflow.restart();
		expect(await check()).toEqual(['read']);
		await workflow.unpublish();
		expect(sandbox().webhook).toEqual({ ...crm, enabled: false });
	});

	let hosts = 0;
	const fails = (fault: Fault) => sandbox().fault({ times: 1, fault });
	const events: Record<string, () => unknown> = {
		well: () => {},
		taken: () => (sandbox().webhook = { ...crm }),
		elsewhere: () =>
			(sandbox().webhook = { url: `https://host-${hosts++}.example.com/hooks`, enabled: true }),
		off: () => (sandbox().webhook.enabled = false),
		down: () => fails({ status: 503 }),
		unauthorized: () => fails({ status: 401 }),
		denied: () => fails({ refuse: 'Token inválido.', status: 200 }),
		useless: () => (workflow.options.credential = { baseUrl: 'gateway' }),
		nobodyAllowed: () => (workflow.options.options = { allowedIps: '={{ undefined }}' }),
		unevaluated: () => (workflow.options.options = { allowedIps: "={{ $('Items').first() }}" }),
		cut() {
			const cut = (url: string) => url.split('?')[0]!;
			storeUrlsAs(sandbox(), cut);
			sandbox().webhook.url = cut(sandbox().webhook.url!);
		},
	};
	/** What happens before each check, and what is surfaced by then. */
	const surfaced = {
		'once that the service cannot be asked':
			'denied denied denied denied → rejected the credential: "Token',
		'once that the credential is no use':
			"useless well well well → 'Base URL' in the Messaging Gateway credential is not a web address",
		'once that an option gives nothing any more':
			"nobodyAllowed well well well → an entry in 'Allowed IPs' is empty",
		'once that an expression cannot be evaluated':
			'unevaluated well well well → cannot be evaluated',
		'no single failed check': 'down well down well down well',
		'nothing that was repaired twice': 'off off',
		'once what had to be repaired three times in a row':
			'off off off off off → had to be registered again: it was gone or switched off',
		'once that it was taken, by another host each time':
			'elsewhere elsewhere elsewhere elsewhere elsewhere → was taken by',
		'nothing where a check between found all well': 'off off well off off well off off',
		'it again where all was well between':
			'down down well unauthorized unauthorized → not available; 401',
		'that the service does not keep the URL any more':
			'cut well → did not save the webhook URL correctly',
	};
	it.each(Object.entries(surfaced))('surfaces %s', async (_, story) => {
		const [steps = '', texts] = story.split(' → ');
		for (const step of steps.split(' ')) {
			events[step]!();
			await check();
		}
		const expected = texts?.split('; ') ?? [];
		const messages = failures().map(({ message }) => message);
		expect(messages).toEqual(expected.map((text) => expect.stringContaining(text) as string));
		for (const error of failures()) {
			expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
			expect(textOf(error)).not.toMatch(/hush|hooks|v1\.p/);
		}
		expect(watch!.emittedErrors).toEqual([]);
	});

	it('logs what n8n before 2.7 cannot show as a failed execution', async () => {
		workflow.options.cannotSaveFailedExecutions = true;
		sandbox().webhook = { ...crm };
		await checks(4);
		const errors = watch!.logs().filter((line) => line.startsWith('error: '));
		expect(errors).toEqual([
			expect.stringContaining(
				'the webhook of its account was taken by crm.example.com. Switch it off there',
			),
		]);
		expect([failures(), watch!.emittedErrors]).toEqual([[], []]); // it is not restarted
	});

	it('has nothing to check while publishing is under way, or after it failed', async () => {
		workflow = new TriggerWorkflow(sandbox(), 'workflow-2');
		expect(await checks(3)).toEqual([]);
		expect(failures()).toEqual([]);
	});

	it.each([
		['a check', 'getWebhook'],
		['a check', 'setWebhook'],
		['the end of a test', 'setWebhook'],
	] as const)(
		'%s registers nothing that outlives the publication, even if n8n ends the watch last: %s',
		async (action, operation) => {
			await begin();
			if (action === 'a check') lose.gone();
			else await workflow.listen();
			sandbox().fault({ operation, times: 1, fault: { delayMs: 100 } });
			const count = () => sandbox().requests({ operation }).length;
			const before = count();
			const { tick } = watch!;
			const acting = action === 'a check' ? [tick(), tick()] : [workflow.endTest()];
			for (let ms = 0; ms < 60_000 && count() === before; ms++) await wait(1);
			await workflow.unpublish();
			expect(await check()).toEqual([]);
			await Promise.all(acting);
			expect(sandbox().webhook.enabled).not.toBe(true);
		},
	);

	it('is not forgotten among a thousand others, which are', async () => {
		await begin();
		for (let id = 0; id < 2_000; id++) publications.set(`${id}`, { workflow: {} as never });
		lose.gone();
		expect(await check()).toEqual(repaired);
		expect(publications.size).toBe(1_000);
	});

	it.each(['getWebhook', 'setWebhook'] as const)(
		'goes on where unpublishing has failed at %s, and when it is published again',
		async (operation) => {
			await begin();
			sandbox().fault({ operation, times: 1, fault: { status: 503 } });
			const { message, description } = await expectFailure(workflow.unpublish());
			expect(message).toContain(description); // all that n8n shows
			expect(left(sandbox())).toBe(production);
			lose.gone();
			expect(await check()).toEqual(repaired);

			await workflow.unpublish();
			expect(left(sandbox())).toBe(`${production}, off`);
			await workflow.publish();
			lose.gone();
			expect(await check()).toEqual(repaired);
		},
	);
});
