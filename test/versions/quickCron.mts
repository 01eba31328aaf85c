/**
 * Preloaded into n8n: whatever is due later than in three seconds is due in three seconds. So the
 * trigger's look at its registration, every three minutes, can be waited for.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';

const LATEST = 3_000; // ms

const [, n8n = ''] = process.argv;
const core = createRequire(realpathSync(n8n)).resolve('n8n-core');
const { CronTime } = createRequire(core)('cron') as {
	CronTime: { prototype: { getTimeout(): number } };
};
const { getTimeout } = CronTime.prototype;
CronTime.prototype.getTimeout = function () {
	return Math.min(getTimeout.call(this), LATEST);
};
