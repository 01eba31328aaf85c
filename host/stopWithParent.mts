/**
 * Preloaded into n8n by n8nProcess.ts. When the process that started n8n is gone, however it ended,
 * their channel closes: n8n is stopped and its temporary user folder removed.
 */
import { rmSync } from 'node:fs';
import process from 'node:process';

process.once('disconnect', () => {
	const folder = process.env.HOST_TEMPORARY_FOLDER;
	if (folder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	process.kill(process.pid, 'SIGTERM');
});
