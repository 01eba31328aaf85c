/**
 * Preloaded into n8n for tests that would wait for its clock (clock.ts): no cron job starts by
 * itself, all of them do when the process is sent a SIGUSR2. n8n looks for executions whose waiting is
 * over every second instead of every minute, and listens for a test event for 20 s instead of 120 s.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';

interface CronJob {
	start(): unknown;
	stop(): unknown;
	fireOnTick(): unknown;
}

const NEVER = 2 ** 31 - 1; // ms; the longest that a timer takes

const [, n8n = ''] = process.argv;
const core = createRequire(realpathSync(n8n)).resolve('n8n-core');
const cron = createRequire(core)('cron') as {
	CronTime: { prototype: { getTimeout(): number } };
	CronJob: { prototype: CronJob };
};
const jobs = new Set<CronJob>();
const { start, stop } = cron.CronJob.prototype;
cron.CronTime.prototype.getTimeout = () => NEVER;
Object.assign(cron.CronJob.prototype, {
	start(this: CronJob) {
		jobs.add(this);
		return start.call(this);
	},
	stop(this: CronJob) {
		jobs.delete(this);
		return stop.call(this);
	},
});
process.on('SIGUSR2', () => {
	for (const job of jobs) job.fireOnTick();
});

shorten('setInterval', 60_000, 1_000);
shorten('setTimeout', 120_000, 20_000);

function shorten(name: 'setInterval' | 'setTimeout', usual: number, instead: number): void {
	const original = globalThis[name];
	const shorter = (callback: () => void, delay?: number, ...rest: []) =>
		original(callback, delay === usual ? instead : delay, ...rest);
	globalThis[name] = Object.assign(shorter, original) as never; // with what util.promisify takes
}
