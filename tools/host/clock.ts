import path from 'node:path';
import { hostFolder } from './paths';

export const clockFile = path.join(hostFolder, 'standingClock.cjs');

/** The environment of an n8n whose clock stands still until `tick`: see standingClock.cjs. */
export const standingClock = { NODE_OPTIONS: `--require=${clockFile}` };

/** Starts all that waits for such a clock: schedules, polls, and checks of registrations. */
export const tick = (pid: number): void => void process.kill(pid, 'SIGUSR2');
