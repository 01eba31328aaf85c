/** How often and when a request is tried again. `faults.test.ts` says which ones are. */
import { startSandbox } from '../../../tools/sandbox';
import { hurry, jsonOf, to, useGateway } from './support';

const gateway = useGateway();
hurry();

describe('a service that comes up late', () => {
	it('gets the message once', async () => {
		const absent = await startSandbox();
		const { port } = new URL(absent.url);
		await absent.close();
		const execution = await gateway.start('sendSms', {
			credential: { baseUrl: absent.url },
			rules: { maxRetries: 6 },
		});
		const late = await startSandbox({ port: Number(port) });
		expect(jsonOf(await execution.finished)).toMatchObject([{ to }]);
		expect(late.timesAccepted({ to })).toBe(1);
		await late.close();
	});
});

describe("'Timeout'", () => {
	it('is that of the item', async () => {
		gateway.sandbox.fault({ fault: { delayMs: 300 } });
		const items = [
			{ to, timeout: 1_000 },
			{ to, timeout: 600_000 },
		];
		const rules = { timeout: '={{ $json.timeout }}' };
		const run = await gateway.run('sendSms', { items, rules, onError: 'continueRegularOutput' });
		expect(jsonOf(run)).toMatchObject([{ error: { outcome: 'unknown' } }, { to }]);
	});
});
