import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';

/** Measures the share of CPU time that other processes take. */
export class CpuMeter {
	private readonly start: Times;

	/** @param pids processes of the measurement, besides this one */
	constructor(private readonly pids: number[]) {
		this.start = read(pids);
	}

	/** Share of all CPU time since the start, 0 to 1. */
	othersShare(): number {
		const { all, busy, ours } = read(this.pids);
		const others = busy - this.start.busy - (ours - this.start.ours);
		return Math.max(0, others / Math.max(1, all - this.start.all));
	}
}

/** In ms, over all cores. */
interface Times {
	all: number;
	busy: number;
	ours: number;
}

function read(pids: number[]): Times {
	const cores = os.cpus().map(({ times }) => times);
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	const all = sum(cores.flatMap((times) => Object.values(times)));
	const { user, system } = process.cpuUsage(); // in µs
	const ours = sum(pids.map((pid) => cpuTime(pid))) + (user + system) / 1000;
	return { all, busy: all - sum(cores.map(({ idle }) => idle)), ours };
}

const tick = 10; // ms, of Linux

/** CPU time of a process, in ms. Zero without /proc. */
function cpuTime(pid: number): number {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return 0;
	// After the name in brackets: fields 14 and 15 of proc(5).
	const fields = readFileSync(file, 'utf8').replace(/.*\) /s, '').split(' ').slice(11, 13);
	return fields.reduce((sum, ticks) => sum + Number(ticks), 0) * tick;
}
