/**
 * Preloaded into n8n for tests that would wait for its clock (clock.ts): no cron job starts by itself,
 * all of them do when the process is sent a SIGUSR2. n8n looks for executions whose waiting is over
 * every second instead of every minute, and listens for a test event for 20 s instead of 120 s.
 */
const { realpathSync } = require('node:fs');
const { createRequire } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const NEVER = 2 ** 31 - 1; // ms; the longest that a timer takes

// Not in n8n's other threads, such as the one that writes its log of events.
if (isMainThread) {
	stopCronJobs();
	shorten('setInterval', 60_000, 1_000);
	shorten('setTimeout', 120_000, 20_000);
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

function shorten(name, usual, instead) {
	const original = globalThis[name];
	const shorter = (callback, delay, ...rest) =>
		original(callback, delay === usual ? instead : delay, ...rest);
	globalThis[name] = Object.assign(shorter, original); // with what util.promisify takes
}
