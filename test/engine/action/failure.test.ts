/** The error that ends the node when it does not continue on fail, and what a second click does then. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication, type NodeRun } from '../harness';
import { jsonOf, numbers, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const items = numbers(5);
const count = () => gateway.sandbox.requests().length;

/** What became of each item, in the data of the error. */
const outcomesOf = ({ error }: NodeRun) =>
	(error!.context as { data: { items: Array<{ outcome: string }> } }).data.items.map(
		({ outcome }) => outcome,
	);

describe('the error that ends the node', () => {
	it('is one for all items, however many, where nothing can be sent at all', async () => {
		const credential = { baseUrl: 'nowhere' };
		const run = await gateway.run('sendSms', { items: numbers(1000), credential });
		expect(run.error?.message).toContain('Base URL');
		expect(run.error?.description).toMatch(/^Nothing was sent\. /);
		expect(outcomesOf(run)).toEqual(Array(1000).fill('refused'));
	});

	it('after a lost answer says who may have got it, what was sent, and what to do', async () => {
		deduplication.reset();
		const list = numbers(20);
		const options = onceBy('={{ $json.to }}');
		const [, , , , , , , , , { to } = {}] = list;
		gateway.sandbox.fault({ to, fault: { reset: 'afterAccept' } });
		const rules = { maxConcurrency: 1 };
		const { error } = await gateway.run('sendSms', { items: list, options, rules });
		expect(error?.message).toMatch(/^The message may have been sent: .* ended without an answer$/);
		expect(error?.description).toBe(
			`${to} may have got it. 9 of 20 were sent, 10 were not tried: run the workflow again, and only those 10 are sent. Check the message at your messaging service, or with 'Message: Get Status', which also lists earlier ones to that number, and treat it as sent until you know that it was not: then send it with another key.`,
		);
		gateway.sandbox.clearFaults();
		const onError = 'continueRegularOutput';
		jsonOf(await gateway.run('sendSms', { items: list, options, rules, onError }));
		for (const item of list) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
	});
});

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
