/** Values of a list that cannot be sent keep all of it from being sent, unless the node continues on fail. */
import { onceBy } from '../../../tools/shared/deduplication';
import type { NodeRun } from '../harness';
import { jsonOf, numbers, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const items = numbers(5);
const count = () => gateway.sandbox.requests().length;

/** What became of each item, in the data of the error. */
const outcomesOf = ({ error }: NodeRun) =>
	(error!.context as { data: { items: Array<{ outcome: string }> } }).data.items.map(
		({ outcome }) => outcome,
	);

describe('a list with values that cannot be sent', () => {
	// One by one what reading can refuse; the other items are good.
	const wrong: Record<string, ActionOptions> = {
		'a number': { parameters: { to: '={{ $itemIndex === 4 ? "12" : $json.to }}' } },
		'an expression': { parameters: { text: '={{ $itemIndex === 4 ? $("No").x : "Hi" }}' } },
		'only an option': { options: { maxSegments: '={{ $itemIndex === 4 ? null : 3 }}' } },
		'a key': { options: onceBy('={{ $itemIndex === 4 ? "" : $json.to }}') },
		'a rule of the credential': { rules: { timeout: '={{ $itemIndex === 4 ? "x" : 30000 }}' } },
		'a credential': { credential: { apiKey: '={{ $json.to.endsWith(4) ? $("No").x : "k" }}' } },
	};

	it.each(Object.entries(wrong))('is not sent for %s, however often run', async (_, action) => {
		for (const retryOnFail of [false, true]) {
			const run = await gateway.run('sendSms', { items, retryOnFail, ...action });
			expect(run.error?.message).toBe("Nothing was sent: 1 of 5 items can't be sent");
			const outcomes = items.map((_, at) => (at === 4 ? 'refused' : 'notStarted'));
			expect(outcomesOf(run)).toEqual(outcomes);
		}
		expect(count()).toBe(0);
	});

	it('is, except for an item of a dry run, which is only shown', async () => {
		const options = { dryRun: '={{ $itemIndex === 4 }}' };
		const run = await gateway.run('sendSms', { items, ...wrong['a number'], options });
		expect(jsonOf(run)[4]).toMatchObject({ dryRun: true, wouldSend: false, to: '12' });
		expect(count()).toBe(4);
	});

	it('does not keep reads waiting', async () => {
		const rules = { maxConcurrency: 1, timeout: '={{ $itemIndex === 4 ? "x" : 30000 }}' };
		const { error } = await gateway.run('getWebhook', { items, rules });
		expect(error?.message).toContain(
			"'Timeout' in the Messaging Gateway credential is not a number of 1000 or more: 'x'",
		);
		expect(count()).toBeGreaterThan(0);
	});
});
