import path from 'node:path';
import { installCommunityPackage } from '../communityPackage';
import { n8nEnvironment } from '../environment';
import { freePort } from '../freePort';
import { N8nProcess } from '../n8nProcess';
import type { Installation } from '../paths';
import { until } from '../until';

/** A worker or a webhook process. A restart starts a new process with the same log. */
export interface QueueProcess {
	/** E.g. `worker 1`; also part of its paths. */
	readonly name: string;
	/** The address, without a trailing slash. A worker does not listen. */
	readonly url: string;
	readonly userFolder: string;
	readonly pid: number;
	logs(): string;
	stop(): Promise<void>;
	/** Like a power cut. */
	kill(): Promise<void>;
	/** Freezes it until `resume`. */
	pause(): void;
	resume(): void;
	/** Also after `stop` or `kill`. Waits until it is ready. */
	restart(): Promise<void>;
	/** Waits until it is ready. @throws Error with its log when it ends instead */
	ready(): Promise<void>;
}

export type Command = keyof typeof READY_TEXTS;

interface Options {
	/** Default: the pinned n8n. */
	n8n?: Installation;
	name: string;
	command: Command;
	/** Kept when it stops. */
	userFolder: string;
	/** The packed community package. */
	tarball: string;
	port: number;
	env: Record<string, string>;
}

const READY_TEXTS = {
	worker: 'n8n worker is now ready',
	webhook: 'Webhook listener waiting for requests',
};

/** Starts the process; the caller has to wait until it is `ready`. */
export async function startQueueProcess(options: Options): Promise<QueueProcess> {
	const { name, command, userFolder, port } = options;
	await installCommunityPackage(userFolder, options.tarball);
	const ports = { editor: port, taskBroker: await freePort() };
	const env = {
		...n8nEnvironment(userFolder, ports, options.n8n),
		HOST_TEMPORARY_FOLDER: userFolder,
		...options.env,
	};
	const start = () => new N8nProcess([command], env, path.join(userFolder, 'n8n.log'), options.n8n);
	const isReady = () => n8n.hasLogged(READY_TEXTS[command]);
	let n8n = start();
	const ready = async () => {
		await until(`the ${name} is ready`, () => isReady() || !n8n.running);
		if (!n8n.running) throw new Error(`The ${name} ended:\n${n8n.logs()}`);
	};
	return {
		name,
		url: `http://127.0.0.1:${port}`,
		userFolder,
		get pid() {
			return n8n.pid;
		},
		logs: () => n8n.logs(),
		stop: async () => await n8n.stop(),
		kill: async () => await n8n.kill(),
		pause: () => n8n.pause(),
		resume: () => n8n.resume(),
		async restart() {
			await n8n.stop();
			n8n = start();
			await ready();
		},
		ready,
	};
}
