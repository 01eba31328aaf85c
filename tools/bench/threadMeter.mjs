/**
 * Preloaded into n8n: notes from when to when its thread has worked for more than 50 ms without letting
 * a timer in, and for how long in CPU time, so that a busy machine makes no difference.
 */
import { appendFileSync } from 'node:fs';

const { METER_FILE: file } = process.env;
let last = { at: Date.now(), worked: 0 };

function tick() {
	const { user, system } = process.threadCpuUsage();
	const now = { at: Date.now(), worked: (user + system) / 1_000 };
	const ms = Math.round(now.worked - last.worked);
	if (ms > 50) appendFileSync(file, `${last.at} ${now.at} ${ms}\n`);
	last = now;
}

if (process.argv.includes('start')) setInterval(tick, 5).unref();
