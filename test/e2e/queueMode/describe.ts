import { missingPrograms } from '../../../tools/host/queue';

const missing = missingPrograms().join(', ');
const reason = missing && `: not run, needs ${missing}`;

/** `describe`, which is skipped where programs are missing that queue mode needs. */
export const describeWhereInstalled = missing ? describe.skip : describe;

/** The same, saying so. */
export const describeInQueueMode = (title: string, tests: () => void): void =>
	describeWhereInstalled(`${title} in queue mode${reason}`, tests);
