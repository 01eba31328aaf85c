/**
 * Preloaded into n8n by launch.ts. When the process that started n8n ends in any way, their channel
 * closes, or the container's input ends. Then n8n is stopped and its temporary user folder removed.
 * What n8n has compiled is kept.
 */
import { rmSync } from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const STARTED = 30_000; // ms; by then n8n has loaded nearly all that it ever loads

function stop() {
	const folder = process.env.HOST_TEMPORARY_FOLDER;
	if (folder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	if (process.listenerCount('SIGTERM') === 0) process.exit(); // n8n is still starting
	process.kill(process.pid, 'SIGTERM');
}

if (process.channel) process.once('disconnect', stop);
else if (isMainThread) process.stdin.once('end', stop).resume().unref();

// Node.js writes it only when a process ends, and the first n8n lives as long as the tests.
const { flushCompileCache } = module as { flushCompileCache?: () => void }; // from Node.js 22.10 on
if (isMainThread) setTimeout(() => flushCompileCache?.(), STARTED).unref();
