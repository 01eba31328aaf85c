import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Says who listens on a port of this machine, where the system tells. */
export function portInUse(port: number, advice: string): Error {
	const owner = process.platform === 'linux' ? ownerOnLinux(port) : ownerByLsof(port);
	return new Error(`Port ${port} is in use${owner ? ` by ${owner}` : ''}. ${advice}`);
}

function ownerOnLinux(port: number): string | undefined {
	const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	const [listening] = ['tcp', 'tcp6']
		.flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'))
		.map((line) => line.trim().split(/\s+/))
		.filter(([, local, , state]) => local?.endsWith(end) && state === '0A');
	const socket = `socket:[${listening?.[9]}]`;
	const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, socket));
	return pid && named(path.basename(readlinkSync(`/proc/${pid}/exe`)), pid);
}

/** Never of a process of somebody else: its files cannot be read. */
function holds(pid: string, socket: string): boolean {
	const folder = `/proc/${pid}/fd`;
	try {
		return readdirSync(folder).some((file) => readlinkSync(`${folder}/${file}`) === socket);
	} catch {
		return false;
	}
}

function ownerByLsof(port: number): string | undefined {
	try {
		const options = ['-nP', '-sTCP:LISTEN', `-iTCP:${port}`, '-Fpc'];
		const [, pid, name] = /^p(\d+)\nc(.*)$/m.exec(execFileSync('lsof', options).toString()) ?? [];
		return pid && named(name!, pid);
	} catch {
		return undefined;
	}
}

const named = (name: string, pid: string): string => `${name} (process ${pid})`;
