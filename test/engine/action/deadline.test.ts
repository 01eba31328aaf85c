/** 'Timeout' limits the whole request, whatever the service does. */
import type { Socket } from 'node:net';
import { endlessAnswers, serve } from '../../unit/support/http';
import { hurry, jsonOf, numbers, sends, until, useGateway } from './support';

const gateway = useGateway();
hurry();

/** A service that answers like this, and the ends of the connections to it. */
async function serveEndlessly(answer: (typeof endlessAnswers)[number][1]) {
	const ended: Array<Promise<unknown>> = [];
	const server = await serve((socket: Socket, request) => {
		ended.push(new Promise((resolve) => socket.once('close', resolve)));
		answer(socket, request);
	});
	return { ...server, credential: { baseUrl: server.url }, ended };
}

const [, drip] = endlessAnswers.find(([name]) => name.startsWith('a body'))!;

it('an answer without an end holds up no other send', async () => {
	const service = await serveEndlessly(drip);
	const items = numbers(2);
	const run = await gateway.run('sendSms', {
		items,
		credential: service.credential,
		rules: { timeout: 2_500, maxConcurrency: 1 },
		onError: 'continueRegularOutput',
	});
	await service.close();
	expect(service.received.length).toBeLessThanOrEqual(items.length);
	expect(JSON.stringify(jsonOf(run)).match(/may have been sent/g)).toHaveLength(items.length);
});

it.each(sends)(
	'after the stop button, %s to a service that goes on answering ends in time',
	async (id) => {
		const service = await serveEndlessly(drip);
		const rules = { timeout: 10_000 };
		const execution = await gateway.start(id, { credential: service.credential, rules });
		await until(() => service.received.length === 1);
		execution.cancel();
		expect((await execution.finished).status).toBe('canceled');
		await Promise.all(service.ended);
		await service.close();
	},
);
