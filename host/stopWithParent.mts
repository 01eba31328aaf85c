/**
 * Preloaded into n8n by launch.ts. When the process that started n8n is gone, however it ended, their
 * channel closes, or the input of the container ends: n8n is stopped and its temporary user folder
 * removed.
 */
import { rmSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

function stop() {
	const folder = process.env.HOST_TEMPORARY_FOLDER;
	if (folder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	if (process.listenerCount('SIGTERM') === 0) process.exit(); // n8n has only just begun to start
	process.kill(process.pid, 'SIGTERM');
}

if (process.channel) process.once('disconnect', stop);
else if (isMainThread) process.stdin.once('end', stop).resume().unref();
