/** Texts that n8n would take for something else. */
import { jsonOf, numbers, useGateway } from './support';

const gateway = useGateway();

describe('a text with the word by which n8n knows what was canceled', () => {
	const word = 'cancel\u200bed'; // with an invisible space
	const message = 'Your contract was canceled';
	const answer = { status: 400, body: { success: false, message } };

	it.each([
		[numbers(1), `The service refused the request: "Your contract was ${word}"`],
		[numbers(3), `The service refused the request: "Your contract was ${word}"`],
		[[{ to: 'canceled' }], `'To' is not a phone number: '${word}'`],
	])('is a failure of %j', async (items, said) => {
		gateway.sandbox.fault({ fault: answer });
		const { status, error } = await gateway.run('sendSms', { items });
		expect([status, error?.message]).toEqual(['error', said]);
	});

	it('is output as it is where the node continues', async () => {
		gateway.sandbox.fault({ fault: answer });
		const run = await gateway.run('sendSms', { onError: 'continueRegularOutput' });
		expect(JSON.stringify(jsonOf(run))).toContain(message);
	});
});
