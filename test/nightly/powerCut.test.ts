/** n8n dies in the middle of 1,000 sends and is started again; the deduplication key does the rest. */
import { until } from '../../tools/host/until';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, items } from '../../tools/shared/workflows';
import { runningClock } from '../e2e/environment';
import { useOwnHost } from '../e2e/sharedHost';
import { numbered, smsToEach } from '../e2e/support/workflows';
import { expectOnceOrSaid } from './onceOrSaid';

const count = 1000;
const maxConcurrency = 100; // the default
/** Keys are claimed for ten messages that wait, besides those under way. */
const mostInDoubt = maxConcurrency + 10;

const host = useOwnHost(runningClock);

it('a power cut in the middle of 1,000 sends: nothing is sent twice or missing in silence', async () => {
	const { sandbox, client } = host;
	sandbox.fault({ operation: 'sendSms', fault: { delayMs: 50 } });
	const credential = await client.createCredential({ ...sandbox.credential, maxConcurrency });
	const rows = numbered(count);
	const options = onceBy('=order {{ $json.to }}');
	const send = smsToEach(credential, { options }, { onError: 'continueRegularOutput' });
	const id = await client.createWorkflow(chain('Orders', ...items(...rows), send));

	await client.run(id);
	const sentBefore = () => sandbox.accepted().length;
	await until('a third is sent', () => sentBefore() > count / 3, { interval: 5 });
	await host.kill();
	expect(sentBefore()).toBeLessThan(count);
	await host.startAgain();

	const execution = await host.client.waitForExecution(await host.client.run(id));
	expect(execution.status).toBe('success');
	const { said, inDoubt, skipped, sent } = expectOnceOrSaid(sandbox, rows, execution);
	for (const [index, { to }] of rows.entries()) expect(said[index]).toContain(`"to":"${to}"`);
	expect(inDoubt.length).toBeLessThanOrEqual(mostInDoubt);
	expect(skipped.length).toBeGreaterThan(0);
	expect(sent.length).toBeGreaterThan(0);
});
