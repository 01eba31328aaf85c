import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../freePort';
import { until } from '../until';
import { systemEnvironment } from './programs';

/** A server of the system's, on 127.0.0.1. Its port and its data stay the same when it restarts. */
export interface Server {
	readonly port: number;
	/** Of the process that runs now. */
	readonly pid: number;
	stop(): Promise<void>;
	/** Ends it without giving it time to put anything away. */
	kill(): Promise<void>;
	/** Starts it again after `stop` or `kill`. */
	restart(): Promise<void>;
}

export interface ServerOptions {
	program: string;
	args(port: number): string[];
	/** It writes this when it takes connections. */
	readyText: string;
	/** Removed if this process ends without having stopped the server. */
	folder: string;
	/** Who runs it; default: whoever runs this. */
	owner?: Owner;
	stopSignal: NodeJS.Signals;
	killSignal: NodeJS.Signals;
}

export interface Owner {
	uid?: number;
	gid?: number;
}

/** @throws Error with what the program wrote when it ends before it is ready */
export async function startServer(options: ServerOptions): Promise<Server> {
	const port = await freePort();
	let child = await start(options, port);
	const end = async (signal: NodeJS.Signals) => {
		if (hasEnded(child)) return;
		child.ref(); // nothing else may be left to wait for
		child.kill(signal);
		await once(child, 'exit');
	};
	return {
		port,
		get pid() {
			return child.pid!;
		},
		stop: async () => await end(options.stopSignal),
		kill: async () => await end(options.killSignal),
		async restart() {
			await end(options.stopSignal);
			child = await start(options, port);
		},
	};
}

async function start(options: ServerOptions, port: number): Promise<ChildProcess> {
	const { program, readyText, folder, owner, stopSignal } = options;
	const logFile = path.join(folder, `${program}.log`);
	const log = openSync(logFile, 'w');
	const child = spawn(program, options.args(port), {
		env: systemEnvironment,
		stdio: ['ignore', log, log],
		detached: true, // Ctrl-C in a terminal is not for it: n8n ends first
		...owner,
	});
	child.unref(); // whoever forgets to stop it can still end, and it with them
	closeSync(log);
	endWithParent(child, stopSignal, folder);
	const logs = () => readFileSync(logFile, 'utf8');
	await until(`${program} is ready`, () => logs().includes(readyText) || hasEnded(child));
	if (hasEnded(child)) throw new Error(`${program} ended:\n${logs()}`);
	return child;
}

/** When this process is gone, however it ended, so is its end of the pipe that a shell reads from. */
function endWithParent(child: ChildProcess, signal: NodeJS.Signals, folder: string): void {
	const script =
		'read -r _; kill -s "$1" "$2"; while kill -0 "$2"; do sleep 0.1; done; rm -rf "$3"';
	const args = ['-c', script, 'sh', signal.replace('SIG', ''), String(child.pid), folder];
	const watch = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
	watch.unref();
	child.once('exit', () => watch.kill('SIGKILL'));
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
	exitCode !== null || signalCode !== null;
