import {
	missingPrograms,
	startQueueMode,
	type QueueMode,
	type QueueModeOptions,
} from '../../../tools/host/queue';
import { Account } from '../trigger/account';

const missing = missingPrograms().join(', ');
const reason = missing && `: not run, needs ${missing}`;

/** `describe`, which is skipped where programs are missing that queue mode needs. */
export const describeWhereInstalled = missing ? describe.skip : describe;

/** The same, saying so. */
export const describeInQueueMode = (title: string, tests: () => void): void =>
	describeWhereInstalled(`${title} in queue mode${reason}`, tests);

/** Queue mode for the tests of a file, and an account. */
export function useQueueMode(options: QueueModeOptions = {}): QueueMode & { account: Account } {
	const n8n = {} as QueueMode & { account: Account };
	beforeAll(async () => {
		Object.assign(n8n, await startQueueMode(options));
		n8n.account = await Account.open(n8n.main.client);
	});
	afterAll(async () => {
		await n8n.account?.close();
		await n8n.stop?.();
	});
	return n8n;
}
