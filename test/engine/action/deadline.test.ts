/** 'Timeout' limits the whole request, whatever the service does. */
import type { Socket } from 'node:net';
import { endlessAnswers, serve } from '../../unit/support/http';
import { hurry, until, useGateway } from './support';

const gateway = useGateway();
hurry();

const [, drip] = endlessAnswers.find(([name]) => name.startsWith('a body'))!;

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
