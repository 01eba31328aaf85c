import { missingPrograms } from '../../../host/queue';

const missing = missingPrograms().join(', ');
const reason = missing && `: not run, needs ${missing}`;

/** `describe`, which is skipped and says so where programs are missing that queue mode needs. */
export const describeInQueueMode = (title: string, tests: () => void): void =>
	(missing ? describe.skip : describe)(`${title} in queue mode${reason}`, tests);
