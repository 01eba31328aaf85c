import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { fetchOnce } from '../../../tools/host/fetchOnce';

it('has a connection of its own, and leaves it to the client to close it', async () => {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		requests.push(request);
		response.end('answer');
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	for (let call = 0; call < 2; call++) {
		const response = await fetchOnce(url, { method: 'POST', body: 'body' });
		expect(await response.text()).toBe('answer');
	}
	const sockets = requests.map(({ socket }) => socket);
	await Promise.all(sockets.map(async (socket) => socket.closed || (await once(socket, 'close'))));
	await new Promise((resolve) => server.close(resolve));
	expect(new Set(sockets).size).toBe(2);
	expect(requests.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'keep-alive']);
});
