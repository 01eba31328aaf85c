/** The error that ends the node when it does not continue on fail, and what a second click does then. */
import { onceBy } from '../../../tools/shared/deduplication';
import type { NodeRun } from '../harness';
import { jsonOf, numbers, useGateway, type ActionOptions } from './support';

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

	it('is, except for an item of a dry run, which is only shown', async () => {
		const options = { dryRun: '={{ $itemIndex === 4 }}' };
		const [[, { parameters } = {}] = []] = wrong;
		const run = await gateway.run('sendSms', { items, parameters, options });
		expect(jsonOf(run)[4]).toMatchObject({ dryRun: true, wouldSend: false, to: '12' });
		expect(count()).toBe(4);
	});

	it('does not keep reads waiting', async () => {
		const rules = { maxConcurrency: 1, timeout: '={{ $itemIndex === 4 ? "x" : 30000 }}' };
		const { error } = await gateway.run('getWebhook', { items, rules });
		expect(error?.message).toContain(
			"'Timeout' in the Messaging Gateway credential must be a number",
		);
		expect(count()).toBeGreaterThan(0);
	});
});
