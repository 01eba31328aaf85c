/**
 * n8n's Retry of an execution whose sub-workflow failed. Of a list: sandboxPage.comparison.test.ts; after a
 * restart and after every end: test/nightly.
 */
import { onceBy } from '../../tools/shared/deduplication';
import { chain, items } from '../../tools/shared/workflows';
import { useHost } from './sharedHost';
import { call, called, numbered, smsToEach } from './support/workflows';

const rows = numbered(20);

const host = useHost();

/** Fails at its eleventh number. */
async function list(options = {}) {
	const { client, sandbox } = host;
	const account = { ...sandbox.credential, maxConcurrency: 1 };
	sandbox.fault({ to: rows[10]!.to, times: 1, fault: { status: 400 } });
	const send = smsToEach(await client.createCredential(account), { options });
	return chain('List', ...items(...rows), send);
}
const times = () => rows.map(({ to }) => host.sandbox.timesAccepted({ to }));
const retry = async (id: string) => await host.client.waitForExecution(await host.client.retry(id));

it.each([
	['only with keys once', {}, 'calling this sub-workflow again, as Retry', 2],
	[
		'once, with keys',
		onceBy('={{ $json.to }}'),
		'run the workflow again, and only those 10 are sent',
		1,
	],
])('a sub-workflow called again by Retry sends %s, and says so', async (_, options, said, sent) => {
	const { client } = host;
	const id = await client.publish(called(await list(options)));
	const failed = await client.execute(chain('Caller', call(id)));
	const { error } = await client.waitForExecution(await client.newest(id));
	expect(error?.description).toContain(said);
	expect((await retry(failed.id)).status).toBe('success');
	expect(times()).toEqual(rows.map((__, index) => (index < 10 ? sent : 1)));
});
