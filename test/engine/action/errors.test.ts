/** Errors that n8n's own output takes, and texts that n8n would take for something else. */
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

describe("n8n's error output: the rest is sent, and the bad item keeps the fields of its input", () => {
	// The customer's own fields, by names that an error could have.
	const own = { message: 'Hello', details: 'x', hint: 'y' };
	const items = numbers(3).map((item, order) => ({ json: { ...item, order, ...own } }));

	it('a bad parameter and a message without an answer', async () => {
		const [, bad, lost] = items.map(({ json }) => json) as Array<{ to: string }>;
		gateway.sandbox.fault({ to: lost!.to, fault: { reset: 'beforeAccept' } });
		const parameters = { to: "={{ $json.order === 1 ? '12' : $json.to }}" };
		const run = await gateway.run('sendSms', { parameters, items, onError: 'continueErrorOutput' });
		expect(run.error).toBeUndefined();
		const { to } = items[0]!.json;
		expect(run.outputs[0]).toMatchObject([{ json: { to }, pairedItem: { item: 0 } }]);
		const hint = expect.any(String) as string;
		const tooShort = "'To' is too short for Brazil (+55): '12'";
		const mayHave = expect.stringMatching(
			/^The message may have been sent: the connection/,
		) as string;
		const refused = { message: tooShort, hint, outcome: 'refused', item: 1, to: '12' };
		const unknown = { message: mayHave, hint, outcome: 'unknown', item: 2, to: lost!.to };
		expect(run.outputs[1]).toEqual([
			{ json: { ...bad, error: refused }, pairedItem: { item: 1 } },
			{ json: { ...lost, error: unknown }, pairedItem: { item: 2 } },
		]);
	});
});
