import path from 'node:path';
import { hostFolder } from './paths';

export const clockFile = path.join(hostFolder, 'standingClock.cjs');

/** The environment of an n8n whose clock stands still until it is told to go on: see standingClock.cjs. */
export const standingClock = { NODE_OPTIONS: `--require=${clockFile}` };

/** Starts what waits for the clock of such an n8n: schedules, polls, and looks after registrations. */
export const tick = (pid: number): void => void process.kill(pid, 'SIGUSR2');
