/**
 * Preloaded into n8n for tests that would wait for its clock (clock.ts): cron jobs run only when the
 * process gets a SIGUSR2, and then all of them. n8n checks for waiting executions every two seconds instead
 * of every minute. It loads their timers 70 s before they end; such a timer ends after one second. It
 * listens for a test event for 60 s instead of 120 s: its five attempts to publish take 15 s and more.
 */
const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const NEVER = 2 ** 31 - 1; // ms; the maximum of a timer

// Not in n8n's other threads, such as the one that writes its event log.
if (isMainThread) {
	stopCronJobs();
	shorten('setInterval', (delay) => (delay === 60_000 ? 2_000 : delay));
	shorten('setTimeout', (delay) => {
		if (delay > 65_000 && delay < 70_000) return 1_000;
		return delay === 120_000 ? 60_000 : delay;
	});
}

function stopCronJobs() {
	const core = createRequire(realpathSync(process.argv[1])).resolve('n8n-core');
	const { CronJob, CronTime } = createRequire(core)('cron');
	const { start, stop } = CronJob.prototype;
	const jobs = new Set();

	CronTime.prototype.getTimeout = () => NEVER;
	CronJob.prototype.start = function () {
		jobs.add(this);
		return start.call(this);
	};
	CronJob.prototype.stop = function () {
		jobs.delete(this);
		return stop.call(this);
	};
	process.on('SIGUSR2', () => {
		for (const job of jobs) job.fireOnTick();
	});
}

function shorten(name, shorter) {
	const original = globalThis[name];
	const replaced = (callback, delay, ...rest) => original(callback, shorter(delay), ...rest);
	globalThis[name] = Object.assign(replaced, original); // keeps the symbol for util.promisify
}
