/**
 * Whatever happens to the workflows of one account, in any order and at once: one that is published gets
 * the deliveries, and when none is published any more, the webhook is the CRM's again. `STORIES=1000`
 * plays so many stories in each setting, `SEED=1` those of a seed: both are printed where one fails.
 */
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';

import { tokenOf } from '../../../nodes/gateway/triggerToken';
import { SEEDS } from '../../../tools/sandbox';
import {
	crm,
	forgetAll,
	left,
	TriggerWorkflow,
	useSandbox,
	waits,
	type TriggerOptions,
} from './support';

/** A hundred times as fast, so that waits stay long beside requests. What waits for minutes does not. */
waits.sleep = async (ms) => await wait(ms > 10_000 ? 0 : ms / 100);

const count = Number(process.env.STORIES ?? 12);
// The same stories in each run of the gate; others every night.
const seed = Number(process.env.SEED ?? (process.env.THOROUGH ? Date.now() % 1e6 : 1));
jest.setTimeout(60_000 + count * 5_000);

const sandbox = useSandbox();

let now = 0;
beforeEach(() => {
	const real = Date.now.bind(Date);
	now = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => real() + now);
});
afterEach(() => jest.restoreAllMocks());

/** So many workflows of an account: what n8n knows of them, and does with them. */
class World {
	private workflows: TriggerWorkflow[];
	private readonly published = new Set<number>();
	private readonly listening = new Set<number>();
	private readonly watches = new Map<number, Awaited<ReturnType<TriggerWorkflow['watch']>>>();

	constructor(options: TriggerOptions[]) {
		sandbox().reset();
		forgetAll();
		sandbox().webhook = { ...crm };
		// Slow writes, since one queue serves all: what two processes write at one moment is open, by design.
		const isAlone = !options.some(({ credential }) => credential?.baseUrl);
		this.workflows = options.map((each, index) => {
			const onRequest = async ({ method }: { method?: string }) =>
				await wait((method === 'POST' && isAlone ? 12 : 4) * Math.random());
			return new TriggerWorkflow(sandbox(), `${index}`, { onRequest, ...each });
		});
	}

	/** n8n tries five times, and calls `delete` after each. */
	async publish(who: number): Promise<void> {
		await this.unpublish(who); // with a changed parameter, n8n takes the old one away first
		const workflow = this.workflows[who]!;
		this.published.add(who);
		for (let attempt = 0; attempt < 5; attempt++) {
			try {
				await workflow.publish();
				return await this.watch(who);
			} catch {
				await workflow.unpublish();
				await wait(20);
			}
		}
		await this.close(who);
	}

	async unpublish(who: number): Promise<void> {
		if (!this.published.has(who)) return;
		for (let attempt = 0; attempt < 3; attempt++) {
			const isDone = await this.workflows[who]!.unpublish().then(
				() => true,
				() => false,
			);
			if (isDone) break;
		}
		await this.close(who);
	}

	async listen(who: number): Promise<void> {
		if (this.listening.has(who)) return;
		this.listening.add(who);
		await this.workflows[who]!.listen().catch(async () => await this.end(who));
	}

	async end(who: number): Promise<void> {
		if (!this.listening.delete(who)) return;
		await this.workflows[who]!.endTest();
	}

	/** The n8n that listens dies, and nobody ends its test. */
	async abandon(who: number): Promise<void> {
		this.listening.delete(who);
	}

	async check(who: number): Promise<void> {
		await this.watches.get(who)?.tick();
	}

	async start(who: number): Promise<void> {
		if (this.published.has(who)) await this.workflows[who]!.restart();
	}

	/** The service forgets the webhook of a published workflow, whose check finds out. */
	async forget(): Promise<void> {
		const { url } = sandbox().webhook;
		const holder = [...this.published].find((who) => left(sandbox()) === `production of ${who}`);
		if (holder === undefined || tokenOf(url!)?.until !== undefined) return;
		await this.check(holder); // it has seen its webhook since its process has begun
		sandbox().webhook = { url: null, enabled: null };
		await this.check(holder);
	}

	/** Every n8n of the account dies, with its tests, and starts again. */
	async kill(): Promise<void> {
		for (const watch of this.watches.values()) await watch.close();
		this.watches.clear();
		this.listening.clear();
		forgetAll();
		// What the dead ones would still do, they do not do.
		this.workflows = this.workflows.map(({ id, options, staticData }) => {
			const again = new TriggerWorkflow(sandbox(), id, { ...options, onRequest: undefined });
			return Object.assign(again, { staticData: structuredClone(staticData) });
		});
		for (const who of this.published) {
			await this.start(who);
			await this.watch(who);
		}
	}

	/**
	 * Whether a workflow gets deliveries that is published to take over, where there is one, long after all
	 * tests have ended, or their n8n has died.
	 */
	async isServed(ending: 'end' | 'abandon' = 'end'): Promise<boolean> {
		for (const who of this.listening) await this[ending](who);
		now += 200_000;
		for (const who of this.published) await this.check(who);
		const all = [...this.published];
		const takesOver = (who: number) => this.workflows[who]!.options.conflict === 'takeOver';
		return !all.some(takesOver) || all.some((who) => left(sandbox()) === `production of ${who}`);
	}

	/**
	 * All is unpublished: in one process at once, while a test of one of them ends. Then each workflow gives
	 * back what a dead n8n has left with its API key, by an attempt to listen or by the end of one.
	 */
	async finish(order: number[], last: 'listen' | 'end'): Promise<void> {
		const isApart = (who: number) => this.workflows[who]!.options.credential?.baseUrl;
		const here = order.filter((who) => this.published.has(who) && !isApart(who));
		for (const who of here.slice(0, 1)) await this.listen(who);
		const unpublish = here.map(async (each) => await this.unpublish(each));
		await Promise.all([...here.map(async (who) => await this.end(who)), ...unpublish]);
		for (const who of order) await this.unpublish(who);
		for (const workflow of this.workflows) {
			workflow.options.conflict = 'refuse';
			await (last === 'end' ? workflow.endTest() : workflow.listen().catch(() => {}));
		}
	}

	private async watch(who: number): Promise<void> {
		this.watches.set(who, await this.workflows[who]!.watch());
	}

	private async close(who: number): Promise<void> {
		this.published.delete(who);
		await this.watches.get(who)?.close();
		this.watches.delete(who);
	}
}

type Step = [verb: (typeof verbs)[number], who: number];
const verbs = ['publish', 'unpublish', 'listen', 'end', 'abandon', 'check', 'start'] as const;
type Moment = Step[] | 'kill' | 'forget' | 'later';

/** Steps of different workflows at the same time; a test and its own publication, too. */
const moments = fc.oneof(
	{
		weight: 10,
		arbitrary: fc.uniqueArray(fc.tuple(fc.constantFrom(...verbs), fc.nat(2)), {
			minLength: 1,
			maxLength: 3,
			selector: ([verb, who]) => `${who} ${['listen', 'end', 'abandon'].includes(verb)}`,
		}),
	},
	{ weight: 1, arbitrary: fc.constantFrom('kill' as const, 'forget' as const, 'later' as const) },
);

const stories = fc.record({
	conflicts: fc.array(fc.constantFrom('takeOver', 'takeOver', 'refuse'), {
		minLength: 3,
		maxLength: 3,
	}),
	moments: fc.array(moments, { minLength: 1, maxLength: 12 }),
	order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
	ending: fc.constantFrom('end' as const, 'abandon' as const),
	last: fc.constantFrom('listen' as const, 'end' as const),
});

async function play(world: World, moment: Moment): Promise<void> {
	if (moment === 'later') now += 160_000;
	else if (moment === 'forget' || moment === 'kill') await world[moment]();
	else await Promise.all(moment.map(async ([verb, who]) => await world[verb](who)));
}

/** In another process, with its own queue and memory: by another name of the service's host, here. */
const otherProcess = () => ({
	credential: { baseUrl: sandbox().credential.baseUrl.replace('127.0.0.1', 'localhost') },
});

const settings: Record<string, () => TriggerOptions> = {
	'one process': () => ({}),
	'two processes': otherProcess,
	'two n8n': () => ({ ...otherProcess(), instanceId: 'other', instanceUrl: 'http://localhost:2' }),
	'two API keys': () => ({ credential: { apiKey: SEEDS.apiKeys[1]!.key } }),
};

it.each(Object.entries(settings))('with %s, the CRM loses nothing', async (_, setting) => {
	const lost: string[] = [];
	for (const { conflicts, moments, order, ending, last } of fc.sample(stories, {
		numRuns: count,
		seed,
	})) {
		const special = [{}, {}, setting()];
		const world = new World(
			special.map((each, index) => ({ conflict: conflicts[index] as never, ...each })),
		);
		for (const moment of moments) await play(world, moment);
		const before = (await world.isServed(ending)) ? 'served' : left(sandbox());
		await world.finish(order, last);
		const { url, enabled } = sandbox().webhook;
		if (before === 'served' && url === crm.url && enabled) continue;
		lost.push(
			JSON.stringify({ conflicts, moments, order, ending, last, before, left: left(sandbox()) }),
		);
	}
	const shown = lost.slice(0, 3).join('\n');
	expect(`${lost.length} of ${count} with SEED=${seed}\n${shown}`).toBe(
		`0 of ${count} with SEED=${seed}\n`,
	);
});

describe('n8n is killed before a request', () => {
	// A dead n8n does nothing more, also after the time limit of the request that it was killed before.
	beforeEach(() => {
		jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
	});

	it.each<[string, ...Step[]]>([
		['publish', ['publish', 0]],
		['publish over another', ['publish', 1], ['publish', 0]],
		['publish again', ['publish', 0], ['publish', 0]],
		['unpublish', ['publish', 0], ['unpublish', 0]],
		['unpublish over another', ['publish', 1], ['publish', 0], ['unpublish', 0]],
		['unpublish under another', ['publish', 0], ['publish', 1], ['unpublish', 0]],
		['listen', ['listen', 0]],
		['listen over its publication', ['publish', 0], ['listen', 0], ['end', 0]],
		['listen over another', ['publish', 1], ['listen', 0], ['end', 0]],
		['unpublish in a test', ['publish', 0], ['listen', 1], ['unpublish', 0], ['end', 1]],
		['publish in a test', ['listen', 1], ['publish', 0], ['end', 1]],
	])('%s: the CRM loses nothing', async (_, ...steps) => {
		const act = async (world: World) => {
			for (const step of steps) await play(world, [step]);
		};
		for (let last = 0, isDead = true; isDead; last++) {
			let requests = 0;
			let die = () => {};
			const death = new Promise<void>((resolve) => (die = resolve));
			const onRequest = async () => {
				if (requests++ < last) return;
				isDead = true;
				die();
				await new Promise(() => {});
			};
			isDead = false;
			const world = new World([0, 1].map(() => ({ conflict: 'takeOver', onRequest })));
			await Promise.race([act(world), death]);
			await world.kill(); // at the end, after its last request
			expect([last, await world.isServed()]).toEqual([last, true]);
			await world.finish([0, 1], 'listen');
			expect([last, sandbox().webhook]).toEqual([last, crm]);
		}
	});
});
