/** n8n dies in the middle of 1,000 sends and is started again; the deduplication key does the rest. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { outputOf, startHost, type Host } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items } from '../../tools/shared/workflows';

const count = 1000;
const maxConcurrency = 100; // the default
/** Keys are claimed for ten messages that wait, besides those under way. */
const mostInDoubt = maxConcurrency + 10;
const rows = Array.from({ length: count }, (_, index) => ({
	order: `order-${index}`,
	to: String(5511900100000 + index),
}));

describe('a power cut in the middle of 1,000 sends', () => {
	let userFolder: string;
	let host: Host;
	let sandbox: Sandbox;

	beforeAll(async () => {
		userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-power-cut-'));
		host = await startHost({ userFolder });
		sandbox = await startSandbox();
		sandbox.fault({ operation: 'sendSms', fault: { delayMs: 50 } });
	});
	afterAll(async () => {
		await host.stop();
		await rm(userFolder, { recursive: true, force: true });
		await sandbox.close();
	});

	it('sends nothing twice and leaves nothing unsaid when the workflow runs again', async () => {
		const credential = await host.client.createCredential({
			...sandbox.credential,
			maxConcurrency,
		});
		const workflow = chain(
			'Orders',
			...items(...rows),
			gateway(
				credential,
				'message',
				'sendSms',
				{
					to: '={{ $json.to }}',
					text: 'Your order is on its way',
					options: onceBy('={{ $json.order }}'),
				},
				{ onError: 'continueRegularOutput' },
			),
		);
		const id = await host.client.createWorkflow(workflow);

		await host.client.run(id);
		while (sandbox.accepted().length < count / 3) await sleep(5);
		await host.kill();
		const before = sandbox.accepted().length;
		expect(before).toBeLessThan(count);
		host = await startHost({ userFolder });

		const execution = await host.client.waitForExecution(await host.client.run(id));
		expect(execution.status).toBe('success');
		const output = outputOf(execution, 'Gateway').map(({ json }) => json);
		expect(output.map(({ to, error }) => to ?? (error as IDataObject).to)).toEqual(
			rows.map(({ to }) => to),
		);

		const said = (test: (json: (typeof output)[number]) => boolean) => output.filter(test).length;
		const skipped = said((json) => json.skipped === true);
		const unanswered = said((json) => /^The message may have been sent/.test(messageOf(json)));
		const sentNow = said((json) => typeof json.messageId === 'string');
		expect(skipped + unanswered + sentNow).toBe(count);
		expect(unanswered).toBeLessThanOrEqual(mostInDoubt);
		expect(skipped).toBeGreaterThan(0);
		expect(sentNow).toBeGreaterThan(0);

		for (const [index, { to }] of rows.entries()) {
			const times = sandbox.timesAccepted({ to });
			expect(times).toBeLessThanOrEqual(1);
			// What was not sent is an error in the output: nothing is missing in silence.
			if (times === 0) expect(messageOf(output[index])).toContain('may have been sent');
		}
		console.log(
			`${before} accepted before the cut; then ${skipped} skipped, ${unanswered} 'may have been sent', ${sentNow} sent; ${sandbox.accepted().length} of ${count} in the ledger`,
		);
	});
});

const messageOf = (json: IDataObject = {}): string =>
	String((json.error as IDataObject | undefined)?.message);
