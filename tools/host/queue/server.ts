import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../freePort';
import { until } from '../until';
import { systemEnvironment } from './programs';

/** A server program of the system, on 127.0.0.1. It keeps its port and data when it restarts. */
export interface Server {
	readonly port: number;
	/** The id of the current process. */
	readonly pid: number;
	stop(): Promise<void>;
	/** Ends it without time to save anything. */
	kill(): Promise<void>;
	/** Also after `stop` or `kill`. */
	restart(): Promise<void>;
}

export interface ServerOptions {
	program: string;
	args(port: number): string[];
	/** Logged when it accepts connections. */
	readyText: string;
	/** Removed if this process ends without stopping the server. */
	folder: string;
	/** The user that runs it; default: the current one. */
	owner?: Owner;
	stopSignal: NodeJS.Signals;
	killSignal: NodeJS.Signals;
}

export interface Owner {
	uid?: number;
	gid?: number;
}

/** @throws Error with the program's output when it ends before it is ready */
export async function startServer(options: ServerOptions): Promise<Server> {
	const port = await freePort();
	let child = await startProcess(options, port);
	const end = async (signal: NodeJS.Signals) => {
		if (hasEnded(child)) return;
		child.ref(); // it may be the only thing left to wait for
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
			child = await startProcess(options, port);
		},
	};
}

async function startProcess(options: ServerOptions, port: number): Promise<ChildProcess> {
	const { program, readyText, folder, owner, stopSignal } = options;
	const logFile = path.join(folder, `${program}.log`);
	const log = openSync(logFile, 'w');
	const child = spawn(program, options.args(port), {
		env: systemEnvironment,
		stdio: ['ignore', log, log],
		detached: true, // not stopped by Ctrl-C in a terminal: n8n has to end first
		...owner,
	});
	child.unref(); // this process can end without stopping it; it then ends too
	closeSync(log);
	endWithParent(child, stopSignal, folder);
	const logs = () => readFileSync(logFile, 'utf8');
	await until(`${program} is ready`, () => logs().includes(readyText) || hasEnded(child));
	if (hasEnded(child)) throw new Error(`${program} ended:\n${logs()}`);
	return child;
}

/** A shell waits for the end of a pipe from this process, however this process ends. */
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
