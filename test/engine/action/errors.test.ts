/** Texts that n8n would take for something else. */
import { jsonOf, numbers, useGateway } from './support';

const gateway = useGateway();

describe('a text with the word by which n8n knows what was canceled', () => {
	const word = 'cancel\u200bed'; // with an invisible space
	const message = 'Your contract was canceled';
	const answer = { status: 400, body: { success: false, message } };

	it.each([1, 3])('of the service is a failure of a run of %i', async (count) => {
		gateway.sandbox.fault({ fault: answer });
		const { status, error } = await gateway.run('sendSms', { items: numbers(count) });
		expect([status, error?.message]).toEqual([
			'error',
			`The service refused the request: "Your contract was ${word}"`,
		]);
	});

	it('of an item is a failure', async () => {
		const { status, error } = await gateway.run('sendSms', { items: [{ to: 'canceled' }] });
		expect([status, error?.message]).toEqual(['error', expect.stringContaining(`'${word}'`)]);
	});

	it('is output as it is where the node continues', async () => {
		gateway.sandbox.fault({ fault: answer });
		const run = await gateway.run('sendSms', { onError: 'continueRegularOutput' });
		expect(JSON.stringify(jsonOf(run))).toContain(message);
	});
});
