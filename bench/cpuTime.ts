import { existsSync, readFileSync } from 'node:fs';

const tick = 10; // ms, of Linux

/** What a process has taken so far, in ms. Zero where the system has no /proc. */
export const cpuTime = (pid: number): number => timesOf(pid).own * tick;

/** The same with all processes that it has started, those that have ended included. */
export function cpuTimeOfTree(pid: number): number {
	const { own, ended } = timesOf(pid);
	const living = childrenOf(pid).map((child) => cpuTimeOfTree(child));
	return (own + ended) * tick + living.reduce((sum, ms) => sum + ms, 0);
}

/** In ticks: of a process itself, and of those it has started that have ended. */
function timesOf(pid: number): { own: number; ended: number } {
	const stat = read(`/proc/${pid}/stat`);
	// After the name in brackets: fields 14 to 17 of proc(5).
	const fields = stat.replace(/.*\) /s, '').split(' ').slice(11, 15).map(Number);
	const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat === '' ? [] : fields;
	return { own: user + system, ended: endedUser + endedSystem };
}

const childrenOf = (pid: number): number[] =>
	(read(`/proc/${pid}/task/${pid}/children`).match(/\d+/g) ?? []).map(Number);

/** Empty where there is no such process. */
const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
