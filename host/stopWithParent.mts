/**
 * Preloaded into n8n by n8nProcess.ts. When the process that started n8n is gone, however it ended,
 * their channel closes: n8n is stopped and its temporary user folder removed.
 */
import { rmSync } from 'node:fs';
import process from 'node:process';

process.once('disconnect', () => {
	const folder = process.env.HOST_TEMPORARY_FOLDER;
	if (folder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	if (process.listenerCount('SIGTERM') === 0) process.exit(); // n8n has only just begun to start
	process.kill(process.pid, 'SIGTERM');
});
