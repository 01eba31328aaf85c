/** What the node makes of answers that say no, and of those that say nothing usable. */
import type { Fault, OperationId } from '../../../tools/sandbox';
import { startService } from '../harness/server';
import { once, operationIds } from '../../../tools/shared/operations';
import { hurry, jsonOf, numbers, useGateway } from './support';

const gateway = useGateway();
hurry();

/** What a person reads. Every error has both texts, its item, and no word that n8n avoids. */
async function errorOf(id: OperationId, fault?: Fault, credential = {}) {
	if (fault) gateway.sandbox.fault({ fault });
	const timeout = fault?.delayMs ? 2_000 : 100_000;
	const { error } = await gateway.run(id, { credential, rules: { timeout } });
	expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
	expect(error?.description).toMatch(/^[A-Z].*\.$/s);
	const own = `${error?.message} ${error?.description}`.replace(/".*"/s, '');
	expect(own).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
	return error as { message: string; description: string; httpCode?: string };
}

it('a value that looks like a network code is quoted', async () => {
	const { error } = await gateway.run('sendSms', { items: [{ to: 'ECONNREFUSED' }] });
	expect(error?.message).toContain("'ECONNREFUSED'");
});

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

describe('a redirect', () => {
	it.each([303, 307])('HTTP %i names its target and goes nowhere', async (status) => {
		const target = await startService();
		const headers = { location: `${target.url}/new?secret=1` };
		for (const id of operationIds) {
			gateway.sandbox.clearFaults();
			const { message, description } = await errorOf(id, { status, headers });
			// 303 is the answer to what was carried out: not to be sent again.
			expect(message.startsWith('The service')).toBe(status !== 303 || !once.includes(id));
			expect(message).toMatch(
				new RegExp(`he service redirects to ${target.url}/new \\(HTTP ${status}\\)$`),
			);
			expect(description).toContain("'Base URL'");
		}
		expect(target.received).toEqual([]);
		expect(gateway.sandbox.requests()).toHaveLength(operationIds.length);
		await target.close();
	});
});
