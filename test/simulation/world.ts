/** A world without chance: each turn, and so the clock, follows fast-check's scheduler. */
import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { createRequire } from 'node:module';
import { setImmediate as settled } from 'node:timers/promises';
import type { Scheduler } from 'fast-check';
import * as n8nWorkflow from 'n8n-workflow';

import { packageFolder } from '../../tools/host/paths';

/** The longest that a prompt turn takes, in ms, and the most turns that a world may have. */
const promptMs = 1_000;
const mostTurns = 20_000;

export const never = new Promise<never>(() => {});

export class World {
	/** Two seconds before the end of the hours in which some messages may leave. */
	now = Date.parse('2026-11-23T11:59:58Z');
	/** How often the clock has advanced. */
	waits = 0;
	private turns = 0;
	private promptOnes = 0;
	private readonly alarms: Array<{ at: number; ring(): void }> = [];

	constructor(private readonly scheduler: Scheduler) {}

	/** Resolves at some time, in any order with everything else under way. */
	async turn(label: string, isPrompt = true): Promise<void> {
		if (isPrompt) this.promptOnes++;
		await this.scheduler.schedule(Promise.resolve(), label);
		if (isPrompt) this.promptOnes--;
	}

	/** Calls back after this many turns. */
	after(turns: number, ring: () => void): void {
		this.alarms.push({ at: this.turns + turns, ring });
	}

	/** Whether the clock may advance to this time: prompt turns come first. */
	mayReach(time: number): boolean {
		return this.promptOnes === 0 || time - this.now <= promptMs;
	}

	/** Runs until nothing is under way any more; `check` throws violations. */
	async run(check: () => void): Promise<void> {
		for (; this.scheduler.count() > 0; this.turns++) {
			if (this.turns > mostTurns) throw new Error('It does not come to an end');
			this.alarms.filter(({ at }) => at === this.turns).forEach(({ ring }) => ring());
			await this.scheduler.waitNext(1);
			await settled();
			check();
		}
	}
}

interface Timer {
	at: number;
	ring(): void;
	isAwaited(): boolean;
}

/** A process of n8n: a fresh copy of this package, with its own memory and timers. */
export class Process {
	readonly code: Code;
	readonly died: Promise<void>;
	/** When its last message to the chat app left. */
	pacedAt = -Infinity;
	die: () => void = () => {};
	private isDead = false;
	private timers: Timer[] = [];
	private isTicking = false;
	private atNextSleep: Array<() => void> = [];

	constructor(private readonly world: World) {
		this.died = new Promise<void>((resolve) => (this.die = resolve)).then(
			() => void (this.isDead = true),
		);
		this.code = this.load();
	}

	/** A turn of something that ends with the process. */
	async turn(label: string, isPrompt = true): Promise<void> {
		await this.world.turn(label, isPrompt);
		if (this.isDead) await never;
	}

	private load(): Code {
		const { world } = this;
		const SimulatedDate = class extends Date {
			static override now = () => world.now;
		};
		const AbortSignal = { timeout: (ms: number) => this.timeout(ms) };
		const sleep = async (ms: number, signal?: AbortSignal) => await this.sleep(ms, signal);
		const workflow = Object.create(n8nWorkflow, { sleep: { value: sleep } }) as object;
		const load = (name: string): unknown => (name === 'n8n-workflow' ? workflow : library(name));
		const module = { exports: {} };
		start(
			load,
			module,
			SimulatedDate,
			AbortSignal,
			Object.create(Math, { random: { value: () => 0.5 } }),
			{ now: () => world.now },
		);
		return module.exports as Code;
	}

	/** Calls back when the next sleep that the code begins is over. */
	afterNextSleep(ring: () => void): void {
		this.atNextSleep.push(ring);
	}

	private async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		const watching = this.atNextSleep.splice(0);
		await new Promise<void>((resolve, reject) => {
			signal?.addEventListener('abort', () => reject(new Error('aborted')));
			const ring = () => [...watching, resolve].forEach((call) => call());
			this.set(ms, ring, () => !signal?.aborted);
		});
	}

	private timeout(ms: number): AbortSignal {
		const clock = new AbortController();
		this.set(
			ms,
			() => clock.abort(),
			() => getEventListeners(clock.signal, 'abort').length > 0,
		);
		return clock.signal;
	}

	private set(ms: number, ring: () => void, isAwaited: () => boolean): void {
		this.timers.push({ at: this.world.now + ms, ring, isAwaited });
		if (!this.isTicking) void this.tick();
	}

	private async tick(): Promise<void> {
		this.isTicking = true;
		while (this.timers.length > 0) {
			await this.turn('clock', false);
			this.timers = this.timers.filter(({ isAwaited }) => isAwaited()).sort((a, b) => a.at - b.at);
			const [next] = this.timers;
			if (!next || !this.world.mayReach(next.at)) continue;
			this.timers.shift();
			if (next.at > this.world.now) this.world.waits++;
			this.world.now = Math.max(this.world.now, next.at);
			next.ring();
		}
		this.isTicking = false;
	}
}

const library = createRequire(__filename);

type Code = typeof import('../../nodes/send/runOperation') &
	typeof import('../../nodes/MessagingGateway/operations/message/sendMedia') &
	typeof import('../../nodes/MessagingGateway/operations/message/sendSms');

const entry = `
export { runOperation } from './nodes/send/runOperation';
export { sendMedia } from './nodes/MessagingGateway/operations/message/sendMedia';
export { sendSms } from './nodes/MessagingGateway/operations/message/sendSms';`;

const bundle = execFileSync(
	'node_modules/.bin/esbuild',
	[
		...['--bundle', '--packages=external', '--platform=node', '--loader=ts', '--log-level=warning'],
		'--external:*/zoneTable', // reads a file; at the same path from here
	],
	{ cwd: packageFolder, input: entry, encoding: 'utf8' },
);

const names = ['require', 'module', 'Date', 'AbortSignal', 'Math', 'performance'];
const start = new Function(...names, bundle);
