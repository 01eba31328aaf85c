/** The error that ends the node when it does not continue on fail, and what a second click does then. */
import { onceBy } from '../../../tools/shared/deduplication';
import { storeBinary, type NodeRun } from '../harness';
import { jsonOf, numbers, until, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const items = numbers(5);
const count = () => gateway.sandbox.requests().length;

interface Named {
	item: number;
	to?: string;
}

/** Each item that the error names, by what became of it. */
const dataOf = ({ error }: NodeRun) =>
	(error!.context as { data: Record<'accepted' | 'failed' | 'skipped' | 'notStarted', Named[]> })
		.data;

describe('the error that ends the node', () => {
	it('is one for all items, however many, where nothing can be sent at all', async () => {
		const credential = { baseUrl: 'nowhere' };
		const run = await gateway.run('sendSms', { items: numbers(1000), credential });
		expect(run.error?.message).toContain('Base URL');
		expect(run.error?.description).toMatch(/ Nothing was sent\.$/);
		expect(dataOf(run).failed).toHaveLength(1000);
	});
});

describe('a list with values that cannot be sent', () => {
	// One by one what reading can refuse; the other items are good.
	const wrong: Array<[what: string, ActionOptions, item: number]> = [
		['a number', { parameters: { to: '={{ $itemIndex === 4 ? "12" : $json.to }}' } }, 4],
		['an expression', { parameters: { text: '={{ $itemIndex === 3 ? $("No").x : "Hi" }}' } }, 3],
		['only an option', { options: { maxSegments: '={{ $itemIndex === 4 ? null : 3 }}' } }, 4],
		['a key', { options: onceBy('={{ $itemIndex === 4 ? "" : $json.to }}') }, 4],
		[
			'a rule of the credential',
			{ rules: { timeout: '={{ $itemIndex === 4 ? "x" : 30000 }}' } },
			4,
		],
		[
			'a credential',
			{ credential: { apiKey: '={{ $json.to.endsWith(4) ? $("No").x : "k" }}' } },
			4,
		],
	];

	it.each(wrong)('is not sent for %s, however often it is run', async (_, action, item) => {
		for (const retryOnFail of [false, true]) {
			const run = await gateway.run('sendSms', { items, retryOnFail, ...action });
			expect(run.error?.message).toBe("Nothing was sent: 1 of 5 items can't be sent");
			expect(run.error?.description).toContain(`Item ${item}: `);
			expect(dataOf(run).failed).toMatchObject([{ item }]);
			expect(dataOf(run).notStarted).toHaveLength(4);
		}
		expect(count()).toBe(0);
	});

	it('or for a file', async () => {
		const audio = await storeBinary(Buffer.from('x'), { mimeType: 'audio/ogg' });
		const image = await storeBinary(Buffer.from('x'), { mimeType: 'image/png' });
		const files = [audio, audio, image].map((data, at) => ({ json: items[at]!, binary: { data } }));
		const parameters = { audioSource: 'binary', audioBase64: '' };
		const { error } = await gateway.run('sendAudio', { items: files, parameters });
		expect(error?.message).toBe("Nothing was sent: 1 of 3 items can't be sent");
		expect(count()).toBe(0);
	});

	it('is, except for an item of a dry run, which is only shown', async () => {
		const options = { dryRun: '={{ $itemIndex === 4 }}' };
		const [[, { parameters } = {}] = []] = wrong;
		const run = await gateway.run('sendSms', { items, parameters, options });
		expect(jsonOf(run)[4]).toMatchObject({ dryRun: true, wouldSend: false, to: '12' });
		expect(count()).toBe(4);
	});

	it('is read no further after a stop', async () => {
		let read = 0;
		Object.assign(globalThis, { readOne: () => void read++ });
		const json = {
			get to() {
				read++;
				return items[0]!.to;
			},
		};
		const many = Array.from({ length: 20_000 }, () => ({ json }));
		const execution = await gateway.start('sendSms', { items: many });
		await until(() => read > 10);
		execution.cancel();
		await execution.finished;
		expect(read).toBeLessThan(10_000);
		expect(count()).toBe(0);
	});

	it('does not keep reads waiting', async () => {
		const rules = { maxConcurrency: 1, timeout: '={{ $itemIndex === 4 ? "x" : 30000 }}' };
		const { error } = await gateway.run('getWebhook', { items, rules });
		expect(error?.message).toContain(
			"'Timeout' in the Messaging Gateway credential must be a number",
		);
		expect(count()).toBeGreaterThan(0);
	});

	it('names what an earlier try has sent, and does not call it bad', async () => {
		gateway.sandbox.fault({ to: items[2]!.to, times: 1, fault: { status: 400 } });
		const first = await gateway.run('sendSms', { items, rules: { maxConcurrency: 1 } });
		const parameters = { to: '={{ [1, 4].includes($itemIndex) ? "12" : $json.to }}' };
		const again = await gateway.retry(first, 'sendSms', { parameters, currentWorkflow: true });
		expect(again.error?.message).toBe("Nothing more was sent: 1 of 5 items can't be sent");
		expect(again.error?.description).toContain(
			'2 of 5 items were sent (by an earlier try), 1 failed, 2 were not tried.',
		);
		expect(again.error?.description).toContain('Running the workflow again sends those 2 again.');
		expect(dataOf(again).accepted).toMatchObject([{ item: 0 }, { item: 1 }]);
		await gateway.retry(again, 'sendSms', { currentWorkflow: true });
		for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
	});
});
