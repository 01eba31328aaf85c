/**
 * The trigger's life in the real n8n: what the service sees, and the webhook it is left with. Both
 * are shown in docs/trigger.md; UPDATE_DOCS=1 writes the table there. The cases run at the same time,
 * since some of them wait for n8n, for up to three minutes.
 */
import { sharedHost } from './sharedHost';
import { conflict } from './trigger/cases/conflict';
import { credential } from './trigger/cases/credential';
import { listen } from './trigger/cases/listen';
import { publish } from './trigger/cases/publish';
import { restart } from './trigger/cases/restart';
import { secrets } from './trigger/cases/secrets';
import { twoWorkflows } from './trigger/cases/twoWorkflows';
import { unavailable } from './trigger/cases/unavailable';
import { watch } from './trigger/cases/watch';
import { describeLifecycle, documentedTable, Stage } from './trigger/lifecycle';
import type { RunningHost } from './trigger/triggerWorkflow';

const cases = [
	...publish,
	...conflict,
	...twoWorkflows,
	...listen,
	...watch,
	...restart,
	...unavailable,
	...credential,
	...secrets,
].map((each) => ({ ...each, rows: [] as string[] }));
const slowFirst = [...cases].sort((a, b) => Number(b.slow ?? 0) - Number(a.slow ?? 0));

describe("the trigger's lifecycle", () => {
	let host: RunningHost;
	beforeAll(async () => {
		host = await sharedHost();
	});

	it.concurrent.each(slowFirst)('$title', async (each) => {
		const stage = new Stage(host);
		try {
			await each.run(stage);
			each.rows = stage.rows;
		} finally {
			await stage.close();
		}
	});

	it('is as docs/trigger.md shows it', () => {
		const table = describeLifecycle(cases);
		expect(documentedTable(table)).toBe(table);
	});
});
