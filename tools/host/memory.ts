import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process, in bytes. */
export interface Memory {
	current: number;
	/** The highest since the process started or `resetPeakMemory` was called. */
	peak: number;
}

/** Null without /proc. */
export function readMemory(pid: number): Memory | null {
	const file = `/proc/${pid}/status`;
	if (!existsSync(file)) return null;
	const status = readFileSync(file, 'utf8');
	return { current: readField(status, 'VmRSS'), peak: readField(status, 'VmHWM') };
}

/** Resets the peak to the current value. Does nothing without /proc. */
export function resetPeakMemory(pid: number): void {
	const file = `/proc/${pid}/clear_refs`;
	if (existsSync(file)) writeFileSync(file, '5');
}

function readField(status: string, name: string): number {
	const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
	return Number(kilobytes) * 1024;
}
