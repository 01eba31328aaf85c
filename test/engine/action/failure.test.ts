/** The error that ends the node when it does not continue on fail. */
import { numbers, useGateway } from './support';

const gateway = useGateway();
const items = numbers(5);

describe('the error that ends the node', () => {
	it('names what was accepted, what else failed and what was not started', async () => {
		const [, first, second] = numbers(5);
		gateway.sandbox.fault({ to: first!.to, fault: { refuse: 'Não.', delayMs: 30 } });
		gateway.sandbox.fault({ to: second!.to, fault: { reset: 'beforeAccept', delayMs: 80 } });
		const options = { maxConcurrency: 3 };
		const { error } = await gateway.run('sendSms', { items, options });
		const accepted = items.flatMap((row, item) =>
			gateway.sandbox.accepted(row).map(({ messageId }) => ({ item, messageId })),
		);
		expect(accepted).not.toEqual([]);
		const failed = { item: 2, outcome: 'unknown', error: expect.stringMatching(/ may have been /) };
		expect(error).toMatchObject({
			message: 'The service refused the request: "Não."',
			context: { itemIndex: 1, data: { accepted, failed: [failed] } },
		});
		expect(error?.description).toMatch(/ Item 2: The message may have been sent: /);
	});

	it('stays short, with many items', async () => {
		const many = Array.from({ length: 1000 }, () => items[0]!);
		const credential = { baseUrl: 'nowhere' };
		const { error } = await gateway.run('sendSms', { items: many, credential });
		expect(error?.description).toMatch(/Accepted: 0 of 1000 items\. Not started: 999 items\.$/);
		expect(error!.description!.length).toBeLessThan(5000);
	});
});
