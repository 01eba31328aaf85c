import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { tick } from './clock';
import { freePort } from './freePort';
import { startHost, type Host, type HostOptions } from './index';

/** A host that keeps its address and its user folder after `stop` and `kill`. */
export interface LastingHost extends Host {
	/** Lets its clock, if that stands still, go on. */
	tick(): void;
	/** Starts it again at the same address; whoever holds this host sees the new one. */
	startAgain(options?: HostOptions): Promise<void>;
	/** The same, where it may still run. @param env added to its environment */
	restart(env?: Record<string, string>): Promise<void>;
	/** Stops it for good. */
	remove(): Promise<void>;
}

/** @param host becomes that host, for who has it already */
export async function startLastingHost(
	options: HostOptions = {},
	host = {} as LastingHost,
): Promise<LastingHost> {
	const { userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-lasting-')) } = options;
	const { port = await freePort() } = options;
	const start = async (more: HostOptions = {}) =>
		await startHost({
			...options,
			...more,
			userFolder,
			port,
			env: { ...options.env, ...more.env },
		});
	return Object.assign(host, await start(), {
		tick: () => tick(host.pid),
		startAgain: async (more?: HostOptions) => void Object.assign(host, await start(more)),
		async restart(env: Record<string, string> = {}) {
			await host.stop();
			await host.startAgain({ env });
		},
		async remove() {
			await host.stop();
			await rm(userFolder, { recursive: true, force: true });
		},
	});
}
