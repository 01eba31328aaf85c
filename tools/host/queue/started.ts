import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Server } from './server';

/** Everything that has been started so far, so that all of it can be ended. */
export class Started {
	readonly servers: Server[] = [];
	readonly processes: Array<{ stop(): Promise<void> }> = [];
	private readonly folders: string[] = [];

	/** A temporary one. */
	async newFolder(name: string): Promise<string> {
		const folder = await mkdtemp(path.join(os.tmpdir(), `n8n-queue-${name.replace(' ', '-')}-`));
		this.folders.push(folder);
		return folder;
	}

	/** Ends n8n, then what it needs, and then removes their data. */
	async stop(): Promise<void> {
		await Promise.all(this.processes.map(async (each) => await each.stop()));
		await Promise.all(this.servers.map(async (each) => await each.stop()));
		for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
	}
}
