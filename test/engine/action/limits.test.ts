/** What limits the messages of an account, and of an item: their pace, attempts and time. */
import type { Socket } from 'node:net';
import { endlessAnswers, serve } from '../../unit/support/http';
import { hurry, jsonOf, numbers, to, until, useGateway } from './support';

const gateway = useGateway();

/** In seconds: the shortest that a busy machine can't make by itself. */
const credential = { chatAppPause: '0.08-0.12' };
const leastMs = 80;

it('messages of executions of one instance leave one at a time, whatever they send and with whichever key', async () => {
	const items = numbers(3);
	const other = { ...credential, apiKey: 'another' };
	gateway.sandbox.fault({ fault: { delayMs: 20 } });
	await Promise.all([
		gateway.run('sendMedia', { items, credential }),
		gateway.run('sendAudio', { items, credential }),
		gateway.run('sendMedia', { items, credential: other, onError: 'continueRegularOutput' }),
	]);
	expect(gateway.sandbox.requests()).toHaveLength(9);
	// From the answer to the one before.
	const gaps = gateway.sandbox
		.requests()
		.slice(1)
		.map(({ at }, index) => at - gateway.sandbox.requests()[index]!.answeredAt!);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(leastMs - 1);
});

const [, drip] = endlessAnswers.find(([name]) => name.startsWith('a body'))!;

describe("'Timeout' and the retries", () => {
	hurry();
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

	it.each([
		['maxRetries', [0, 2], { times: 2, fault: { tooMany: true, retryAfter: 0 } }, 3, 'refused'],
		['timeout', [1_000, 600_000], { fault: { delayMs: 300 } }, 2, 'unknown'],
	] as const)('%s is that of the item', async (rule, values, fault, requests, outcome) => {
		gateway.sandbox.fault(fault);
		const items = values.map((value) => ({ to, value }));
		const rules = { [rule]: '={{ $json.value }}' };
		const run = await gateway.run('sendSms', { items, rules, onError: 'continueRegularOutput' });
		expect(jsonOf(run)).toMatchObject([{ error: { outcome } }, { to }]);
		expect(gateway.sandbox.requests()).toHaveLength(requests);
	});

	/** 'Timeout' limits the whole request, whatever the service does. */
	it('after the stop button, a send to a service that goes on answering ends in time', async () => {
		const ended: Array<Promise<unknown>> = [];
		const service = await serve((socket: Socket, request) => {
			ended.push(new Promise((resolve) => socket.once('close', resolve)));
			drip(socket, request);
		});
		const credential = { baseUrl: service.url };
		const execution = await gateway.start('sendSms', { credential, rules: { timeout: 2_000 } });
		await until(() => service.received.length === 1);
		execution.cancel();
		expect((await execution.finished).status).toBe('canceled');
		await Promise.all(ended);
		await service.close();
	});
});
