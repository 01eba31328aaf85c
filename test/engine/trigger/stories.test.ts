/**
 * Whatever happens to the workflows of one account, in any order and at once: nothing of anybody else is
 * displaced, one that is published gets the deliveries or reports who has them, and when none is published
 * any more, nothing is left. `STORIES=10000` plays so many, `SEED=1` those of a seed: both are printed
 * where one fails.
 */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { publications } from '../../../nodes/MessagingGatewayTrigger/publication';
import { tokenOf } from '../../../nodes/account/triggerToken';
import { SEEDS } from '../../../tools/sandbox';
import { runWebhook } from '../harness';
import { crm, forgetAll, left, reported, TriggerWorkflow, useSandbox, waits } from './support';

/** A hundred times as fast, so that waits stay long beside requests. What waits for minutes does not. */
waits.sleep = async (ms) => await wait(ms > 10_000 ? 0 : ms / 100);

// The same stories in each run of the gate; others every night.
const count = Number(process.env.STORIES ?? 240);
const seed = Number(process.env.SEED ?? (process.env.THOROUGH ? Date.now() % 1e6 : 1));
jest.setTimeout(60_000 + count * 5_000);

const sandbox = useSandbox();

let now = 0;
beforeEach(() => {
	const real = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => real() + now);
});

const none = { url: null, enabled: null };
type Webhook = { url: string | null; enabled: boolean | null };

/** The id of the workflow that a webhook in force belongs to. Nobody listens any more for an old test. */
function ownerOf({ url, enabled }: Webhook): string | undefined {
	if (!url || !enabled) return undefined;
	const until = tokenOf(url)?.until ?? Infinity;
	return until > Date.now() ? (/\/(\d)-webhook\//.exec(url)?.[1] ?? 'somebody else') : undefined;
}

interface Setting {
	/** Where the third workflow differs. */
	credential?: object;
	instanceId?: string;
	instanceUrl?: string;
}

/** The workflows of an account: what n8n knows of them, and does with them. */
class World {
	/** What was done that may never be done. */
	readonly wrongs: string[] = [];
	/** What the service has, which it may show late. */
	webhook: Webhook = { ...none };
	private readonly workflows: TriggerWorkflow[];
	private readonly published = new Set<number>();
	private readonly listening = new Set<number>();
	private readonly watches = new Map<number, Awaited<ReturnType<TriggerWorkflow['watch']>>>();
	private callers = 0;
	private seen = 0;
	/** What each caller has read last. */
	private readonly reads = new Map<string, Webhook>();
	private isCrms = false;

	constructor(
		setting: Setting,
		private readonly delayMs: number,
		isLate: boolean,
		private readonly onRequest?: () => Promise<void>,
	) {
		now = 0;
		sandbox().reset();
		forgetAll();
		if (isLate) this.showLate();
		else this.webhook = sandbox().webhook;
		this.workflows = [{}, {}, setting].map(
			(options, index) => new TriggerWorkflow(sandbox(), `${index}`, options as never),
		);
	}

	/** From now on, the first look after a change shows what was there before. */
	private showLate(): void {
		const stored = this.webhook;
		let old: Webhook = { ...stored };
		let isOld = false;
		Object.defineProperties(sandbox().webhook, {
			url: {
				enumerable: true,
				get: () => (isOld ? old.url : stored.url),
				set(url: string) {
					if (!isOld) old = { ...stored };
					isOld = true;
					stored.url = url;
				},
			},
			enabled: {
				enumerable: true,
				get() {
					const { enabled } = isOld ? old : stored;
					isOld = false; // a look reads this last
					return enabled;
				},
				set: (enabled: boolean) => (stored.enabled = enabled),
			},
		});
	}

	/** A workflow, for one call of n8n: its requests carry that call's name. */
	private call(who: number): TriggerWorkflow {
		const workflow = this.workflows[who]!;
		const caller = `${who} ${this.callers++}`;
		workflow.options.onRequest = async (options: IHttpRequestOptions) => {
			options.headers = { ...options.headers, 'x-caller': caller };
			await this.onRequest?.();
			await wait(this.delayMs * Math.random());
		};
		return workflow;
	}

	/** n8n tries five times, and calls `delete` after each. */
	async publish(who: number): Promise<void> {
		await this.unpublish(who); // with a changed parameter, n8n takes the old one away first
		this.published.add(who);
		for (let attempt = 0; attempt < 2; attempt++) {
			try {
				await this.call(who).publish();
				return await this.watch(who);
			} catch {
				await this.call(who).unpublish();
			}
		}
		await this.close(who);
	}

	async unpublish(who: number): Promise<void> {
		if (!this.published.has(who)) return;
		for (let attempt = 0; attempt < 3; attempt++) {
			const unpublished = this.call(who).unpublish();
			const isDone = await unpublished.then(Boolean, () => false);
			if (isDone) break;
		}
		await this.close(who);
	}

	async listen(who: number): Promise<void> {
		if (this.listening.has(who)) return;
		this.listening.add(who);
		await this.call(who)
			.listen()
			.catch(async () => await this.end(who));
	}

	async end(who: number): Promise<void> {
		if (!this.listening.delete(who)) return;
		await this.call(who).endTest();
	}

	/** In another process of n8n, which does not know what is published here. */
	async endElsewhere(who: number): Promise<void> {
		const here = [...publications.values()].find(({ workflow }) => workflow.id === `${who}`);
		const there = { ...here };
		if (here) here.published = undefined;
		await this.end(who);
		if (here) here.published = there.published;
	}

	/** The n8n that listens dies, and nobody ends its test. */
	async abandon(who: number): Promise<void> {
		this.listening.delete(who);
	}

	async check(who: number): Promise<void> {
		await this.watches.get(who)?.tick();
	}

	async start(who: number): Promise<void> {
		if (this.published.has(who)) await this.call(who).restart();
	}

	async forget(): Promise<void> {
		this.set(none);
	}

	async crm(): Promise<void> {
		this.set(crm);
		this.isCrms = true;
	}

	async off(): Promise<void> {
		this.set({ ...this.webhook, enabled: false });
	}

	async later(): Promise<void> {
		now += 160_000;
	}

	/** Every n8n of the account dies, with its tests, and starts again. */
	async kill(): Promise<void> {
		for (const watch of this.watches.values()) await watch.close();
		this.watches.clear();
		this.listening.clear();
		forgetAll();
		for (const who of this.published) {
			await this.start(who);
			await this.watch(who);
		}
	}

	/** One of them at another address, from its next start on. */
	async move(): Promise<void> {
		for (const { options } of this.workflows.slice(0, 2))
			options.instanceUrl = `http://localhost:${1_000 + Math.ceil(1e3 * Math.random())}`;
		await this.kill();
	}

	/** The credential of two workflows gets another API key of the account. */
	async key(): Promise<void> {
		for (const { options } of this.workflows.slice(0, 2))
			options.credential = { apiKey: SEEDS.apiKeys[options.credential ? 0 : 1]!.key };
		// Here, a watch that is open keeps the credential that it was opened with; n8n reads it each time.
		for (const [who, watch] of [...this.watches]) {
			await watch.close();
			await this.watch(who);
		}
	}

	/** Long after all tests are over: each one published gets deliveries, or reports who has them. */
	async expectDeliveries(): Promise<void> {
		now += 200_000;
		for (let check = 0; check < 3; check++) for (const who of this.published) await this.check(who);
		for (const who of this.published) {
			const search = ownerOf(this.webhook) === `${who}` && new URL(this.webhook.url!).search;
			const { options } = this.workflows[who]!;
			const isHere = this.webhook.url?.startsWith(options.instanceUrl ?? 'http://localhost:1/');
			if (search && isHere) {
				const { status } = await runWebhook(this.workflows[who]!.prepare(false), { search });
				if (status === 200) continue;
			}
			const watch = this.watches.get(who);
			if (watch && reported(watch).length > 0) continue;
			this.wrongs.push(`${who} gets nothing, and does not say so: ${left(sandbox())}`);
		}
	}

	/** All is unpublished, at once, while a test of one of them ends. */
	async expectNothingLeft(): Promise<void> {
		const published = [...this.published];
		for (const who of published.slice(0, 1)) await this.listen(who);
		const ends = [...this.listening].map(async (who) => await this.end(who));
		await Promise.all([...ends, ...published.map(async (who) => await this.unpublish(who))]);
		this.judge();
		const owner = ownerOf(this.webhook);
		if (owner && owner !== 'somebody else') this.wrongs.push(`left behind: ${left(sandbox())}`);
	}

	/** Looks at what the service was asked for since the last time. */
	judge(): void {
		const requests = sandbox().requests().slice(this.seen);
		this.seen += requests.length;
		for (const { method, headers, answer, body } of requests) {
			const caller = String(headers['x-caller']);
			if (method === 'GET' && answer) this.reads.set(caller, answer as Webhook);
			const owner = ownerOf(this.reads.get(caller) ?? none);
			if (method !== 'GET' && owner && owner !== caller.split(' ')[0])
				this.wrongs.push(`${caller} has read ${owner}, and set ${JSON.stringify(body)}`);
		}
		if (this.isCrms && ownerOf(this.webhook) !== 'somebody else')
			this.wrongs.push(`the CRM has lost the webhook: ${left(sandbox())}`);
	}

	private set(webhook: Webhook): void {
		this.isCrms = false;
		sandbox().webhook = { ...webhook };
		void sandbox().webhook.enabled; // they have looked at it
	}

	private async watch(who: number): Promise<void> {
		this.watches.set(who, await this.call(who).watch());
	}

	private async close(who: number): Promise<void> {
		this.published.delete(who);
		await this.watches.get(who)?.close();
		this.watches.delete(who);
	}
}

const verbs = ['publish', 'unpublish', 'listen', 'end', 'abandon', 'check', 'start'] as const;
const events = ['kill', 'forget', 'later', 'crm', 'off', 'move', 'key'] as const;
type Step = [verb: (typeof verbs)[number] | 'endElsewhere', who: number];
type Moment = Step[] | (typeof events)[number];

/** Steps of different workflows at the same time; a test and its own publication, too. */
const moments = fc.oneof(
	{
		weight: 10,
		arbitrary: fc.uniqueArray(fc.tuple(fc.constantFrom(...verbs, 'endElsewhere'), fc.nat(2)), {
			minLength: 1,
			maxLength: 3,
			selector: ([verb, who]) => `${who} ${/listen|end|abandon/.test(verb)}`,
		}),
	},
	{ weight: 4, arbitrary: fc.constantFrom(...events) },
);

async function play(world: World, moment: Moment): Promise<void> {
	if (typeof moment === 'string') await world[moment]();
	else await Promise.all(moment.map(async ([verb, who]) => await world[verb](who)));
	world.judge();
}

/** In another process, with its own queue and memory: by another name of the service's host, here. */
const otherProcess = () => ({
	credential: { baseUrl: sandbox().credential.baseUrl.replace('127.0.0.1', 'localhost') },
});

const settings: Record<string, () => Setting> = {
	'one process': () => ({}),
	'two processes': otherProcess,
	'two n8n': () => ({ ...otherProcess(), instanceId: 'other', instanceUrl: 'http://localhost:2' }),
	'two API keys': () => ({ credential: { apiKey: SEEDS.apiKeys[1]!.key } }),
};

const stories = fc.record({
	moments: fc.array(moments, { minLength: 1, maxLength: 12 }),
	isLate: fc.boolean(),
	delayMs: fc.constantFrom(0, 4),
});

it.each(Object.entries(settings))('with %s, nobody loses anything', async (_, setting) => {
	const lost: string[] = [];
	const runs = Math.ceil(count / 4);
	for (const story of fc.sample(stories, { numRuns: runs, seed })) {
		const world = new World(setting(), story.delayMs, story.isLate);
		for (const moment of story.moments) await play(world, moment);
		await world.expectDeliveries();
		await world.expectNothingLeft();
		if (world.wrongs.length > 0) lost.push(JSON.stringify({ ...story, wrongs: world.wrongs }));
	}
	const shown = lost.slice(0, 3).join('\n');
	expect(`${lost.length} of ${runs} with SEED=${seed}\n${shown}`).toBe(
		`0 of ${runs} with SEED=${seed}\n`,
	);
});

describe('n8n is killed before a request', () => {
	// A dead n8n does nothing more, also after the time limit of the request that it was killed before.
	beforeEach(() => {
		jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
	});

	it.each<[string, ...Moment[]]>([
		['publish', [['publish', 0]]],
		['publish over another', [['publish', 1]], [['publish', 0]]],
		['publish again', [['publish', 0]], [['publish', 0]]],
		['publish over the CRM', 'crm', [['publish', 0]]],
		['publish in a test', [['listen', 1]], [['publish', 0]], [['end', 1]]],
		['publish in its own test', [['listen', 0]], [['publish', 0]], [['end', 0]]],
		['unpublish', [['publish', 0]], [['unpublish', 0]]],
		['unpublish in its own test', [['publish', 0]], [['listen', 0]], [['unpublish', 0]]],
		['listen', [['listen', 0]], [['end', 0]]],
		['listen over its publication', [['publish', 0]], [['listen', 0]], [['end', 0]]],
		['check', [['publish', 0]], 'forget', [['check', 0]]],
		['check with another API key', [['publish', 0]], 'key', [['check', 0]]],
	])('%s: nobody loses anything', async (_, ...all) => {
		for (let last = 0, isDead = true; isDead; last++) {
			let requests = 0;
			let isAgain = false;
			let die = () => {};
			const death = new Promise<void>((resolve) => (die = resolve));
			isDead = false;
			const world = new World({}, 0, false, async () => {
				if (isAgain || requests++ < last) return;
				isDead = true;
				die();
				await new Promise(() => {});
			});
			const act = async () => {
				for (const moment of all) await play(world, moment);
			};
			await Promise.race([act(), death]);
			isAgain = true;
			await play(world, 'kill'); // at the end, after its last request
			await world.expectDeliveries();
			await world.expectNothingLeft();
			expect([last, world.wrongs]).toEqual([last, []]);
		}
	});
});
